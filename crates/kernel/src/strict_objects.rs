//! A deserializer that accepts structs only as JSON objects, at any depth: serde would also accept an array
//! of the field values, which does not say which is which.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};

/// Deserializes the value inside, and rejects an array where a struct is expected.
#[derive(Debug)]
pub struct StrictObjects<T>(pub T);

/// A visitor that passes every value on, wrapped again.
struct Through<V> {
    visitor: V,
    /// Whether the value must be an object.
    object: bool,
}

const fn any<V>(visitor: V) -> Through<V> {
    Through { visitor, object: false }
}

const fn object<V>(visitor: V) -> Through<V> {
    Through { visitor, object: true }
}

macro_rules! pass_on {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method(any(visitor))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for StrictObjects<D> {
    type Error = D::Error;

    pass_on! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf deserialize_option deserialize_unit deserialize_seq
        deserialize_map deserialize_identifier deserialize_ignored_any
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_struct(name, fields, object(visitor))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_unit_struct(name, any(visitor))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_newtype_struct(name, any(visitor))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_tuple(length, any(visitor))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_tuple_struct(name, length, any(visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, any(visitor))
    }
}

macro_rules! hand_over {
    ($($method:ident($type:ty))*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.visitor.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Through<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.object { f.write_str("an object") } else { self.visitor.expecting(f) }
    }

    hand_over! {
        visit_bool(bool) visit_i64(i64) visit_i128(i128) visit_u64(u64) visit_u128(u128) visit_f64(f64)
        visit_str(&str) visit_borrowed_str(&'de str) visit_string(String) visit_bytes(&[u8])
        visit_borrowed_bytes(&'de [u8]) visit_byte_buf(Vec<u8>)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inside: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(StrictObjects(inside))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inside: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_newtype_struct(StrictObjects(inside))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        if self.object {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        self.visitor.visit_seq(StrictObjects(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(StrictObjects(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, choice: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(StrictObjects(choice))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for StrictObjects<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inside: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(StrictObjects(inside))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for StrictObjects<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(StrictObjects(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for StrictObjects<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(StrictObjects(seed))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(StrictObjects(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for StrictObjects<A> {
    type Error = A::Error;
    type Variant = StrictObjects<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, StrictObjects<A::Variant>), A::Error> {
        self.0.variant_seed(StrictObjects(seed)).map(|(value, variant)| (value, StrictObjects(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for StrictObjects<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(StrictObjects(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(length, any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.struct_variant(fields, object(visitor))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::value::RawValue;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Body {
        one: u8,
        inside: Option<Inside>,
        #[serde(default)]
        list: Vec<Inside>,
        choice: Option<Choice>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Inside {
        two: f64,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    enum Choice {
        Bare,
        Named { three: Vec<u8> },
    }

    fn read(text: &str) -> Result<Body, String> {
        let mut reader = serde_json::Deserializer::from_str(text);
        Body::deserialize(StrictObjects(&mut reader)).map_err(|error| error.to_string())
    }

    #[test]
    fn objects_are_read_as_ever() {
        let inside = |two| Inside { two };
        let body = read(r#"{"one": 1, "inside": {"two": 2}, "list": [{"two": 2.5}], "choice": "Bare"}"#);
        let expected =
            Body { one: 1, inside: Some(inside(2.0)), list: vec![inside(2.5)], choice: Some(Choice::Bare) };
        assert_eq!(body, Ok(expected));
        let body = read(r#"{"one": 1, "inside": null, "choice": {"Named": {"three": [3]}}}"#).unwrap();
        assert_eq!(body.choice, Some(Choice::Named { three: vec![3] }));
        let mut raw = serde_json::Deserializer::from_str(r#"{"as": ["it", "is"]}"#);
        let raw = Box::<RawValue>::deserialize(StrictObjects(&mut raw)).unwrap();
        assert_eq!(raw.get(), r#"{"as": ["it", "is"]}"#);
    }

    #[test]
    fn a_list_in_the_place_of_an_object_is_refused_where_it_stands() {
        let refused = [
            ("[1, null, [], null]", "line 1 column 1"),
            (r#"{"one": 1, "inside": [2]}"#, "line 1 column 22"),
            (r#"{"one": 1, "list": [[2]]}"#, "line 1 column 21"),
            (r#"{"one": 1, "choice": {"Named": [[3]]}}"#, "line 1 column 32"),
        ];
        for (text, place) in refused {
            let expected = format!("invalid type: sequence, expected an object at {place}");
            assert_eq!(read(text).unwrap_err(), expected, "{text}");
        }
    }
}
