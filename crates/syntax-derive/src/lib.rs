//! The derive macro of `codeweft_syntax::codec::Codec`.
//!
//! A struct is its fields in the order of the declaration; an enum is the number of the variant in one
//! byte, then its fields. So a declaration that changes changes the encoding: records of another build
//! have another fingerprint of the sources (`codeweft-cache`).

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned as _;
use syn::{Data, DeriveInput, Error, Fields};

/// Implements `Codec` for a struct or an enum without type parameters, all of whose fields implement it.
#[proc_macro_derive(Codec)]
pub fn derive_codec(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    implementation(&input)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

fn implementation(input: &DeriveInput) -> Result<TokenStream, Error> {
    if !input.generics.params.is_empty() {
        let at = input.generics.span();
        return Err(Error::new(
            at,
            "a type with parameters has no derived codec",
        ));
    }
    let name = &input.ident;
    let (encode, decode) = match &input.data {
        Data::Struct(data) => {
            let (pattern, encode, decode) = of_fields(&data.fields);
            (
                quote! { let Self #pattern = self; #encode },
                quote! { Ok(Self #decode) },
            )
        }
        Data::Enum(data) => {
            let mut encodes = Vec::new();
            let mut decodes = Vec::new();
            for (number, variant) in data.variants.iter().enumerate() {
                let Ok(number) = u8::try_from(number) else {
                    let words = "an enum of more than 256 variants has no derived codec";
                    return Err(Error::new(variant.span(), words));
                };
                let variant_name = &variant.ident;
                let (pattern, encode, decode) = of_fields(&variant.fields);
                encodes.push(quote! {
                    Self::#variant_name #pattern => { to.byte(#number); #encode }
                });
                decodes.push(quote! { #number => Self::#variant_name #decode, });
            }
            (
                quote! { match self { #(#encodes)* } },
                quote! {
                    Ok(match from.byte()? {
                        #(#decodes)*
                        _ => return Err(::codeweft_syntax::codec::Malformed),
                    })
                },
            )
        }
        Data::Union(_) => return Err(Error::new(name.span(), "a union has no derived codec")),
    };
    Ok(quote! {
        impl ::codeweft_syntax::codec::Codec for #name {
            fn encode(&self, to: &mut ::codeweft_syntax::codec::Encoder<'_>) {
                #encode
            }

            fn decode(
                from: &mut ::codeweft_syntax::codec::Decoder<'_>,
            ) -> Result<Self, ::codeweft_syntax::codec::Malformed> {
                #decode
            }
        }
    })
}

/// Returns the pattern that binds all fields, the statements that encode them, and the fields of the
/// expression that decodes them.
fn of_fields(fields: &Fields) -> (TokenStream, TokenStream, TokenStream) {
    let bound: Vec<_> = (0..fields.len())
        .map(|number| format_ident!("field_{number}"))
        .collect();
    let encode = quote! { #(::codeweft_syntax::codec::Codec::encode(#bound, to);)* };
    let decoded = quote! { ::codeweft_syntax::codec::Codec::decode(from)? };
    match fields {
        Fields::Named(named) => {
            let names: Vec<_> = named.named.iter().map(|field| &field.ident).collect();
            (
                quote! { { #(#names: #bound),* } },
                encode,
                quote! { { #(#names: #decoded),* } },
            )
        }
        Fields::Unnamed(_) => {
            let values = bound.iter().map(|_| &decoded);
            let values = quote! { ( #(#values),* ) };
            (quote! { ( #(#bound),* ) }, encode, values)
        }
        Fields::Unit => (quote! {}, quote! {}, quote! {}),
    }
}
