//! `Debug` of errors.

/// Makes `Debug` of errors read as their `Display`: it is what a `main` shows that
/// returns the error.
#[doc(hidden)]
#[macro_export]
macro_rules! __debug_as_display {
    ($($error:ty),+ $(,)?) => {$(
        impl ::core::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    )+};
}
