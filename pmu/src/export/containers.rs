//! What the path of a control group says of its container, pod and unit, and the names that local
//! files of the container runtime and of the kubelet have for them.
//!
//! | what makes the control group | path |
//! |---|---|
//! | systemd | `system.slice/cron.service` |
//! | Docker | `docker/ID`, `system.slice/docker-ID.scope` |
//! | Podman | `machine.slice/libpod-ID.scope` |
//! | the kubelet | `kubepods/burstable/podUID/…`, `kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podUID.slice/…` |
//! | containerd | `…/ID`, `…/cri-containerd-ID.scope` |
//! | CRI-O | `…/crio-ID.scope` |
//!
//! A name comes from the first of these files that can be read; without one, the id of the path is
//! the label.
//!
//! | file | says |
//! |---|---|
//! | `/var/log/pods/NAMESPACE_POD_UID/` | the name and the namespace of a pod |
//! | `/var/log/containers/POD_NAMESPACE_CONTAINER-ID.log` | those, and the name of a container |
//! | `/run/containerd/io.containerd.runtime.v2.task/k8s.io/ID/config.json` | the same |
//! | `/run/containers/storage/overlay-containers/ID/userdata/config.json` | the same, of CRI-O |
//! | `/var/lib/docker/containers/ID/config.v2.json` | the name of a container of Docker |

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pmu_events::__private::file;
use serde_json::Value;

use super::names;

/// The labels of a control group beside its path, in a fixed order.
pub(super) type Labels = Vec<(&'static str, String)>;

/// What the files of a host say.
#[derive(Debug, Default)]
pub(super) struct Containers {
    root: PathBuf,
    /// The namespace and the name of each pod, by its UID.
    pods: BTreeMap<String, (String, String)>,
    /// The container, pod and namespace of each id that `/var/log/containers` has.
    logs: BTreeMap<String, Named>,
    /// The same of ids that files of their own tell, or `None` if none does.
    asked: BTreeMap<String, Option<Named>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Named {
    container: Option<String>,
    pod: Option<String>,
    namespace: Option<String>,
}

impl Containers {
    /// Those of the host whose files are below a directory.
    pub(super) fn below(root: &Path) -> Self {
        Containers { root: root.into(), ..Containers::default() }
    }

    /// Reads the directories that name pods and containers again.
    pub(super) fn look(&mut self) {
        (self.pods, self.logs) = (BTreeMap::new(), BTreeMap::new());
        for name in self.entries("var/log/pods") {
            if let [namespace, pod, uid] = name.split('_').collect::<Vec<_>>()[..] {
                self.pods.insert(uid.into(), (namespace.into(), pod.into()));
            }
        }
        for name in self.entries("var/log/containers") {
            let Some((before, id)) = name.strip_suffix(".log").and_then(|n| n.rsplit_once('-'))
            else {
                continue;
            };
            if let [pod, namespace, container] = before.split('_').collect::<Vec<_>>()[..] {
                let [container, pod, namespace] =
                    [container, pod, namespace].map(|name| Some(name.to_owned()));
                self.logs.insert(id.into(), Named { container, pod, namespace });
            }
        }
        // Others may have been readable too late.
        self.asked.retain(|_, named| named.is_some());
    }

    fn entries(&self, directory: &str) -> Vec<String> {
        let entries = file::entries(&self.root.join(directory)).unwrap_or_default();
        entries.into_iter().filter_map(|(name, _)| name.into_string().ok()).collect()
    }

    /// The labels of a control group.
    pub(super) fn labels(&mut self, path: &str) -> Labels {
        let said = Said::of(path);
        let mut named = match &said.container {
            Some(id) => self.named(id),
            None => Named::default(),
        };
        if let Some(uid) = &said.pod
            && let Some((namespace, pod)) = self.pods.get(uid)
        {
            named.pod = Some(pod.clone());
            named.namespace = Some(namespace.clone());
        }
        let labels = [
            (names::SLICE, said.slice),
            (names::SYSTEMD_UNIT, said.unit),
            (names::POD, named.pod.or(said.pod)),
            (names::NAMESPACE, named.namespace),
            (names::CONTAINER, named.container.or(said.container)),
        ];
        labels.into_iter().filter_map(|(label, value)| Some((label, value?))).collect()
    }

    fn named(&mut self, id: &str) -> Named {
        if let Some(named) = self.logs.get(id) {
            return named.clone();
        }
        let root = &self.root;
        let asked = self.asked.entry(id.to_owned()).or_insert_with(|| asked(root, id));
        asked.clone().unwrap_or_default()
    }
}

/// What the file of a container says.
fn asked(root: &Path, id: &str) -> Option<Named> {
    let containerd = |value: &Value| {
        annotated(
            value,
            [
                "io.kubernetes.cri.container-name",
                "io.kubernetes.cri.sandbox-name",
                "io.kubernetes.cri.sandbox-namespace",
            ],
        )
    };
    let crio = |value: &Value| {
        annotated(
            value,
            [
                "io.kubernetes.container.name",
                "io.kubernetes.pod.name",
                "io.kubernetes.pod.namespace",
            ],
        )
    };
    let docker = |value: &Value| {
        let name = value.get("Name")?.as_str()?.trim_start_matches('/').to_owned();
        Some(Named { container: Some(name), ..Named::default() })
    };
    let files: [(String, &dyn Fn(&Value) -> Option<Named>); 3] = [
        (
            format!("run/containerd/io.containerd.runtime.v2.task/k8s.io/{id}/config.json"),
            &containerd,
        ),
        (format!("run/containers/storage/overlay-containers/{id}/userdata/config.json"), &crio),
        (format!("var/lib/docker/containers/{id}/config.v2.json"), &docker),
    ];
    files.iter().find_map(|(path, named)| {
        let text = file::of_procfs(&root.join(path)).ok()?;
        named(&serde_json::from_str(&text).ok()?)
    })
}

fn annotated(value: &Value, keys: [&str; 3]) -> Option<Named> {
    let annotations = value.get("annotations")?;
    let text = |key: &str| Some(annotations.get(key)?.as_str()?.to_owned());
    let [container, pod, namespace] = keys.map(text);
    container.is_some().then_some(Named { container, pod, namespace })
}

/// What a path alone says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    slice: Option<String>,
    unit: Option<String>,
    pod: Option<String>,
    container: Option<String>,
}

impl Said {
    fn of(path: &str) -> Self {
        let mut said = Said::default();
        for part in path.split('/') {
            if let Some(uid) = pod(part) {
                said.pod = Some(uid);
            }
            if let Some(id) = container(part) {
                said.container = Some(id.into());
            } else if is_unit(part) {
                said.unit = Some(part.into());
            }
            if part.ends_with(".slice") {
                said.slice = Some(part.into());
            }
        }
        said
    }
}

/// Units of systemd that have control groups, but for slices (systemd.unit(5)).
fn is_unit(part: &str) -> bool {
    let types = ["service", "scope", "socket", "mount", "swap"];
    part.rsplit_once('.').is_some_and(|(_, kind)| types.contains(&kind))
}

/// The UID of a pod, whose dashes are underscores where systemd makes the control group: in its
/// names, dashes separate levels.
fn pod(part: &str) -> Option<String> {
    let part = part.strip_suffix(".slice").unwrap_or(part);
    let uid = match part.strip_prefix("kubepods") {
        Some(of_kubepods) => of_kubepods.rsplit_once("-pod")?.1,
        None => part.strip_prefix("pod")?,
    };
    let is_of_uid = |c: char| c.is_ascii_hexdigit() || matches!(c, '-' | '_');
    let is_uid = uid.len() >= 32 && uid.chars().all(is_of_uid);
    is_uid.then(|| uid.replace('_', "-"))
}

/// The id of a container: 64 hexadecimal digits.
fn container(part: &str) -> Option<&str> {
    const DIGITS: usize = 64;
    let part = part.strip_suffix(".scope").unwrap_or(part);
    let id = part.get(part.len().checked_sub(DIGITS)?..)?;
    let before = &part[..part.len() - DIGITS];
    let is_conmon = before.contains("conmon");
    let is_id = id.bytes().all(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase());
    (is_id && !is_conmon && (before.is_empty() || before.ends_with('-'))).then_some(id)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    const UID: &str = "1b2c3d4e-0000-4111-8222-123456789abc";

    fn shown(labels: &Labels) -> String {
        let shown: Vec<String> =
            labels.iter().map(|(label, value)| format!("{label}={value}")).collect();
        shown.join(" ").replace(ID, "ID").replace(UID, "UID")
    }

    #[test]
    fn what_paths_say() {
        let uid_ = UID.replace('-', "_");
        let mut containers = Containers::below(Path::new("/nonexistent"));
        for (path, expected) in [
            ("init.scope", "systemd_unit=init.scope"),
            ("system.slice/cron.service", "slice=system.slice systemd_unit=cron.service"),
            ("user.slice/user-1000.slice", "slice=user-1000.slice"),
            ("docker/ID", "container=ID"),
            ("system.slice/docker-ID.scope", "slice=system.slice container=ID"),
            ("machine.slice/libpod-ID.scope", "slice=machine.slice container=ID"),
            (
                "machine.slice/libpod-conmon-ID.scope",
                "slice=machine.slice systemd_unit=libpod-conmon-ID.scope",
            ),
            ("kubepods/burstable/podUID/ID", "pod=UID container=ID"),
            (
                "kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podUI_.slice/cri-containerd-ID.scope",
                "slice=kubepods-besteffort-podUI_.slice pod=UID container=ID",
            ),
            (
                "kubepods.slice/kubepods-podUI_.slice/crio-ID.scope",
                "slice=kubepods-podUI_.slice pod=UID container=ID",
            ),
            ("a/b", ""),
            ("podium", ""),
        ] {
            let full = path.replace("ID", ID);
            let full = full.replace(&format!("U{ID}"), UID).replace("UI_", &uid_);
            let found = shown(&containers.labels(&full)).replace(&uid_, "UI_");
            assert_eq!(found, expected, "{full}");
        }
    }

    #[test]
    fn names_from_files() {
        let root = std::env::temp_dir().join(format!("pmu-containers-{}", std::process::id()));
        let ids: Vec<String> = (0..5).map(|n| ID.replace("0123", &format!("{n:04}"))).collect();
        let annotations = |prefix: [&str; 3]| {
            format!(
                r#"{{"annotations":{{"{}":"c","{}":"p","{}":"n"}}}}"#,
                prefix[0], prefix[1], prefix[2]
            )
        };
        let cri = annotations([
            "io.kubernetes.cri.container-name",
            "io.kubernetes.cri.sandbox-name",
            "io.kubernetes.cri.sandbox-namespace",
        ]);
        let crio = annotations([
            "io.kubernetes.container.name",
            "io.kubernetes.pod.name",
            "io.kubernetes.pod.namespace",
        ]);
        let files = [
            (format!("var/log/pods/shop_till-0_{UID}/till/0.log"), String::new()),
            (format!("var/log/containers/web-1_shop_nginx-{}.log", ids[0]), String::new()),
            (
                format!(
                    "run/containerd/io.containerd.runtime.v2.task/k8s.io/{}/config.json",
                    ids[1]
                ),
                cri,
            ),
            (
                format!(
                    "run/containers/storage/overlay-containers/{}/userdata/config.json",
                    ids[2]
                ),
                crio,
            ),
            (
                format!("var/lib/docker/containers/{}/config.v2.json", ids[3]),
                r#"{"Name":"/db"}"#.into(),
            ),
            (format!("var/lib/docker/containers/{}/config.v2.json", ids[4]), "odd".into()),
        ];
        for (path, text) in &files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        let mut containers = Containers::below(&root);
        containers.look();
        for (path, expected) in [
            (format!("kubepods/pod{UID}"), "pod=till-0 namespace=shop".to_owned()),
            (format!("x/{}", ids[0]), "pod=web-1 namespace=shop container=nginx".to_owned()),
            (format!("x/{}", ids[1]), "pod=p namespace=n container=c".to_owned()),
            (format!("x/crio-{}.scope", ids[2]), "pod=p namespace=n container=c".to_owned()),
            (format!("docker/{}", ids[3]), "container=db".to_owned()),
            (format!("docker/{}", ids[4]), format!("container={}", ids[4])),
        ] {
            assert_eq!(shown(&containers.labels(&path)), expected, "{path}");
        }
        fs::remove_dir_all(root).expect("it was made");
    }
}
