//! Products of Arm's family of meshes.

use core::fmt;

/// A product of Arm's family of meshes (`enum cmn_model` in
/// `drivers/perf/arm-cmn.c`).
///
/// ```
/// use pmu_events::cmn::Product;
///
/// assert_eq!(Product::of_part(Product::Cmn700.part()), Some(Product::Cmn700));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Product {
    /// CMN-600, or CMN-600AE, which the driver does not distinguish from it.
    Cmn600,
    /// CMN-650.
    Cmn650,
    /// CI-700.
    Ci700,
    /// CMN-700.
    Cmn700,
    /// CMN S3 before release r2.
    CmnS3,
    /// CMN S3 from release r2 on, whose HN-S nodes have other events and filters.
    /// To the driver of Linux 6.12, it is the same as the releases before.
    CmnS3R2,
}

impl Product {
    /// All products, in the order of the driver.
    pub const ALL: &'static [Product] = &[
        Product::Cmn600,
        Product::Cmn650,
        Product::Ci700,
        Product::Cmn700,
        Product::CmnS3,
        Product::CmnS3R2,
    ];

    /// Finds the product of a part number (`enum cmn_part`). That of CMN S3 is
    /// taken for a release before r2; [`Identity::new`] knows the revision, too.
    #[must_use]
    pub const fn of_part(part: u16) -> Option<Product> {
        Some(match part {
            0x434 | 0x438 => Product::Cmn600,
            0x436 => Product::Cmn650,
            0x43a => Product::Ci700,
            0x43c => Product::Cmn700,
            0x43e => Product::CmnS3,
            _ => return None,
        })
    }

    /// Returns the part number, as in the driver's `identifier`.
    #[must_use]
    pub const fn part(self) -> u16 {
        match self {
            Product::Cmn600 => 0x434,
            Product::Cmn650 => 0x436,
            Product::Ci700 => 0x43a,
            Product::Cmn700 => 0x43c,
            Product::CmnS3 | Product::CmnS3R2 => 0x43e,
        }
    }

    /// Returns the name, as Arm writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Product::Cmn600 => "CMN-600",
            Product::Cmn650 => "CMN-650",
            Product::Ci700 => "CI-700",
            Product::Cmn700 => "CMN-700",
            Product::CmnS3 => "CMN S3",
            Product::CmnS3R2 => "CMN S3 r2",
        }
    }

    /// Returns the maximum number of device ports of a crosspoint
    /// (`arm_cmn_device_connect_info`, `CMN_MAX_PORTS`).
    #[must_use]
    pub const fn max_ports(self) -> u8 {
        match self {
            Product::Cmn600 | Product::Cmn650 => 2,
            _ => 6,
        }
    }

    /// Returns the number of match groups that a watchpoint can select from
    /// (`arm_cmn_wp_config`).
    #[must_use]
    pub const fn match_groups(self) -> u8 {
        match self {
            Product::Cmn600 => 2,
            _ => 3,
        }
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A product and its revision, as in a mesh's `identifier` in sysfs.
///
/// ```
/// use pmu_events::cmn::{Identity, Product};
/// let identity = Identity::parse("43c03\n").unwrap();
/// assert_eq!(identity, Identity { product: Product::Cmn700, revision: 3 });
/// assert_eq!(identity.release(), Some("r3p0"));
/// assert_eq!(identity.to_string(), "43c03");
/// assert_eq!(Identity::parse("123"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// The product.
    pub product: Product,
    /// The number of the revision. Later releases do not always have higher
    /// numbers (`enum cmn_revision`).
    pub revision: u8,
}

impl Identity {
    /// The first revision of CMN S3 that is [`Product::CmnS3R2`]
    /// (`REV_CMNS3_R2P0`).
    const S3_R2P0: u8 = 3;

    /// Returns the identity of a part number and a revision; `None` for an unknown
    /// part.
    ///
    /// ```
    /// use pmu_events::cmn::{Identity, Product};
    /// let product = |revision| Identity::new(0x43e, revision).unwrap().product;
    /// assert_eq!((product(2), product(3)), (Product::CmnS3, Product::CmnS3R2));
    /// ```
    #[must_use]
    pub const fn new(part: u16, revision: u8) -> Option<Identity> {
        let product = match Product::of_part(part) {
            Some(Product::CmnS3) if revision >= Self::S3_R2P0 => Product::CmnS3R2,
            Some(product) => product,
            None => return None,
        };
        Some(Identity { product, revision })
    }

    /// Parses an `identifier`: three hexadecimal digits of the part number and
    /// two of the revision (`arm_cmn_identifier_show`). `None` for anything
    /// else and for unknown parts.
    #[must_use]
    pub const fn parse(text: &str) -> Option<Identity> {
        let digits = text.as_bytes().trim_ascii_end();
        let (Some(part), Some(revision)) = (hexadecimal(digits, 0, 3), hexadecimal(digits, 3, 2))
        else {
            return None;
        };
        if digits.len() != 5 {
            return None;
        }
        Identity::new(part, revision as u8)
    }

    /// Returns the release of the revision, as Arm's manuals name it; `None`
    /// for one that is unknown to Linux 7.3.
    #[must_use]
    pub const fn release(self) -> Option<&'static str> {
        let releases: &[&str] = match self.product {
            Product::Cmn600 => &["r1p0", "r1p1", "r1p2", "r1p3", "r2p0", "r3p0", "r3p1"],
            Product::Cmn650 => &["r0p0", "r1p0", "r1p1", "r2p0", "r1p2"],
            Product::Ci700 => &["r0p0", "r1p0", "r2p0"],
            Product::Cmn700 => &["r0p0", "r1p0", "r2p0", "r3p0"],
            Product::CmnS3 | Product::CmnS3R2 => {
                &["r0p0", "r0p1", "r1p0", "r2p0", "r2p1", "r2p2", "r2p5"]
            }
        };
        let revision = self.revision as usize;
        if revision < releases.len() { Some(releases[revision]) } else { None }
    }
}

/// Displays the identity as the driver writes it.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:03x}{:02x}", self.product.part(), self.revision)
    }
}

const fn hexadecimal(text: &[u8], from: usize, len: usize) -> Option<u16> {
    if text.len() < from + len {
        return None;
    }
    match pmu_events_core::__private::digits_value(text.split_at(from).1.split_at(len).0, 16) {
        Some(value) => Some(value as u16),
        None => None,
    }
}

/// A set of products.
///
/// ```
/// use pmu_events::cmn::{Product, named};
///
/// let miss = named::find("hnf_cache_miss").unwrap();
/// assert!(miss.products().contains(Product::Cmn700));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Products(u8);

impl Products {
    pub(super) const ANY: Self = Products(0x3f);
    pub(super) const CMN600: Self = Self::of(Product::Cmn600);
    pub(super) const CMN650: Self = Self::of(Product::Cmn650);
    pub(super) const CI700: Self = Self::of(Product::Ci700);
    pub(super) const CMN700: Self = Self::of(Product::Cmn700);
    /// All releases of CMN S3.
    pub(super) const CMNS3: Self = Self::of(Product::CmnS3).with(Self::CMNS3R2);
    pub(super) const CMNS3R2: Self = Self::of(Product::CmnS3R2);

    pub(super) const fn of(product: Product) -> Self {
        Products(1 << product as u8)
    }

    /// Whether two sets have a product in common.
    pub(super) const fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    pub(super) const fn with(self, others: Self) -> Self {
        Products(self.0 | others.0)
    }

    pub(super) const fn without(self, others: Self) -> Self {
        Products(self.0 & !others.0)
    }

    /// Whether the set contains a product.
    #[must_use]
    pub const fn contains(self, product: Product) -> bool {
        self.0 & Self::of(product).0 != 0
    }

    /// Returns the products, in the order of [`Product::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Product> {
        Product::ALL.iter().copied().filter(move |&product| self.contains(product))
    }
}
