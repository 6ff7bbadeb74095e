#![doc = include_str!("compatibility.md")]
