mod groups;
mod places;
mod products;
mod random;
mod strings;
mod watchpoints;
