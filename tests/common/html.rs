//! HTML as a tree, as strictly as XML is read: whatever is not closed, or was
//! not escaped, is found.

/// An element.
#[derive(Debug, Default)]
pub struct Element {
    pub tag: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Node>,
}

#[derive(Debug)]
pub enum Node {
    Element(Element),
    Text(String),
}

/// Elements without an end, and those whose text is not HTML.
const VOID: [&str; 3] = ["meta", "link", "input"];
const RAW: [&str; 2] = ["style", "script"];

/// # Panics
///
/// When an element ends where another is open, or something is not escaped.
pub fn parse(html: &str) -> Element {
    let mut open = vec![Element::default()];
    let mut rest = html.strip_prefix("<!doctype html>").expect("it is HTML");
    while let Some(start) = rest.find('<') {
        let (text, tag) = rest.split_at(start);
        add(&mut open, Node::Text(unescaped(text)));
        let end = tag.find('>').expect("a tag ends");
        let (tag, behind) = (&tag[1..end], &tag[end + 1..]);
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            let element = open.pop().expect("something is open");
            assert_eq!(element.tag, name, "{:?}", element.attributes);
            add(&mut open, Node::Element(element));
            continue;
        }
        let element = element(tag);
        let name = element.tag.clone();
        open.push(element);
        if RAW.contains(&name.as_str()) {
            let end = rest.find("</").expect("it ends");
            add(&mut open, Node::Text(rest[..end].into()));
            rest = &rest[end..];
        } else if VOID.contains(&name.as_str()) {
            let element = open.pop().expect("it was just opened");
            add(&mut open, Node::Element(element));
        }
    }
    assert_eq!((open.len(), rest.trim()), (1, ""));
    open.remove(0)
}

fn add(open: &mut [Element], node: Node) {
    open.last_mut().expect("the document is open").children.push(node);
}

fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(name.bytes().all(|c| c.is_ascii_alphanumeric()), "{tag}");
    let mut attributes = Vec::new();
    while !rest.is_empty() {
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let (attribute, behind) = rest.split_at(end);
        let value = match behind.strip_prefix("=\"") {
            Some(quoted) => {
                let (value, behind) = quoted.split_once('"').expect("a value ends");
                rest = behind;
                unescaped(value)
            }
            None => {
                rest = behind;
                String::new()
            }
        };
        rest = rest.strip_prefix(' ').unwrap_or(rest);
        attributes.push((attribute.into(), value));
    }
    Element { tag: name.into(), attributes, children: Vec::new() }
}

fn unescaped(text: &str) -> String {
    let mut pieces = text.split('&');
    let mut unescaped = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (name, behind) = piece.split_once(';').expect("a reference ends");
        unescaped.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#39" => '\'',
            _ => panic!("`&{name};` is not one that is written here"),
        });
        unescaped.push_str(behind);
    }
    unescaped
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let (_, value) = self.attributes.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    pub fn has_class(&self, class: &str) -> bool {
        self.attribute("class").is_some_and(|classes| classes.split(' ').any(|c| c == class))
    }

    /// Its children that are elements.
    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|child| match child {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// It and all within, in the order of the document.
    pub fn all(&self) -> Vec<&Element> {
        let mut all = vec![self];
        self.elements().for_each(|child| all.extend(child.all()));
        all
    }

    pub fn find(&self, is_it: impl Fn(&Element) -> bool) -> Option<&Element> {
        self.all().into_iter().find(|element| is_it(element))
    }

    pub fn by_id(&self, id: &str) -> &Element {
        let found = self.find(|element| element.attribute("id") == Some(id));
        found.unwrap_or_else(|| panic!("there is no #{id}"))
    }

    /// The text within.
    pub fn text(&self) -> String {
        let texts = self.children.iter().map(|child| match child {
            Node::Element(element) => element.text(),
            Node::Text(text) => text.clone(),
        });
        texts.collect()
    }
}
