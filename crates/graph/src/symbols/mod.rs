//! Printed ids, packages and declarations of symbols.

pub(crate) mod declarations;
mod facts;
pub(crate) mod ids;
pub(crate) mod memo;
pub(crate) mod packages;
pub(crate) mod redefinitions;

pub(crate) use declarations::{
    MethodOwner, files_of_body, in_test, is_class, is_interface_method, is_of_class, is_test,
    members_of, method_owner, methods_named, methods_of,
};
pub(crate) use facts::facts;
pub(crate) use ids::{
    builtin, by_id, by_id_in, container, distinct_id, id, ids_of, in_order, package_by_name,
    package_id,
};
pub(crate) use packages::{
    is_external, is_library, own_package, own_units, package_around, package_of, packages,
    packages_in,
};
pub(crate) use redefinitions::{definitions_of_id, redefinitions};
