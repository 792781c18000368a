//! Consuming setters of options, without their repetition.

/// The setters of an options struct, inside its `impl`: each sets the field of its name and gives the options back.
///
/// ```text
/// setters! {
///     /// Rows of a minibatch.
///     batch(rows: usize) => rows;
/// }
///
/// /// Rows of a minibatch.
/// pub fn batch(mut self, rows: usize) -> Self {
///     self.batch = rows;
///     self
/// }
/// ```
///
/// `solver(solver: Solver) => options.solver = solver;` sets a field of a field.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($argument:ident: $type:ty) => $($part:ident).+ = $value:expr;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(mut self, $argument: $type) -> Self {
                self.$($part).+ = $value;
                self
            }
        )*
    };
    ($($(#[$doc:meta])* $name:ident($argument:ident: $type:ty) => $value:expr;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(mut self, $argument: $type) -> Self {
                self.$name = $value;
                self
            }
        )*
    };
}

pub(crate) use setters;
