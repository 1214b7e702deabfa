//! `serde::Serializer` for the JSON writer: derived types are written with the fast paths for texts and numbers.

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Error;

use super::JsonWriter;

/// An array or object that is being written.
pub struct Compound<'a> {
    out: &'a mut JsonWriter,
    /// What comes before the next item: the opening bracket, or a comma.
    before: &'static str,
    /// The text of the array or object when it is empty.
    empty: &'static str,
    close: &'static str,
}

impl<'a> Compound<'a> {
    fn array(out: &'a mut JsonWriter, close: &'static str) -> Self {
        Self { out, before: "[", empty: if close == "]" { "[]" } else { "[]}" }, close }
    }

    fn object(out: &'a mut JsonWriter, close: &'static str) -> Self {
        Self { out, before: "{", empty: if close == "}" { "{}" } else { "{}}" }, close }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.out.put(std::mem::replace(&mut self.before, ","));
        value.serialize(&mut *self.out)
    }

    /// Field names are identifiers: nothing in them needs to be escaped.
    fn named<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.out.put(std::mem::replace(&mut self.before, ",")).name(name);
        value.serialize(&mut *self.out)
    }

    fn finish(self) {
        self.out.put(if self.before == "," { self.close } else { self.empty });
    }
}

impl JsonWriter {
    fn name(&mut self, name: &str) {
        self.0.reserve(name.len() + 3);
        self.0.push('"');
        self.0.push_str(name);
        self.0.push_str("\":");
    }
}

/// Methods that write an integer.
macro_rules! integers {
    ($($method:ident: $type:ty => $write:ident as $wide:ty),*) => {
        $(fn $method(self, value: $type) -> Result<(), Error> {
            self.$write(<$wide>::from(value));
            Ok(())
        })*
    };
}

impl<'a> Serializer for &'a mut JsonWriter {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    integers!(
        serialize_i8: i8 => whole as i64, serialize_i16: i16 => whole as i64, serialize_i32: i32 => whole as i64,
        serialize_i64: i64 => whole as i64, serialize_u8: u8 => digits as u64, serialize_u16: u16 => digits as u64,
        serialize_u32: u32 => digits as u64, serialize_u64: u64 => digits as u64
    );

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.truth(value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.serde(&value);
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.float(value);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.text(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.serde(value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.put("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.text(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.put("{").name(variant);
        value.serialize(&mut *self)?;
        self.put("}");
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'a>, Error> {
        Ok(Compound::array(self, "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'a>, Error> {
        Ok(Compound::array(self, "]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>, Error> {
        Ok(Compound::array(self, "]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a>, Error> {
        self.put("{").name(variant);
        Ok(Compound::array(self, "]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'a>, Error> {
        Ok(Compound::object(self, "}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Compound<'a>, Error> {
        // serde_json passes raw JSON and numbers of arbitrary precision as structs with such names.
        if name.starts_with('$') {
            return Err(Error::custom("only serde_json can write this type"));
        }
        Ok(Compound::object(self, "}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a>, Error> {
        self.put("{").name(variant);
        Ok(Compound::object(self, "}}"))
    }
}

impl SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.out.put(std::mem::replace(&mut self.before, ","));
        let start = self.out.as_str().len();
        key.serialize(&mut *self.out)?;
        if self.out.0.as_bytes().get(start) == Some(&b'"') {
            Ok(())
        } else {
            Err(Error::custom("only serde_json can write keys that are no texts"))
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(self.out.put(":"))
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

/// The traits of arrays, and those of objects with field names.
macro_rules! compounds {
    (arrays: $($array:ident $element:ident),*; objects: $($object:ident),*) => {
        $(impl $array for Compound<'_> {
            type Ok = ();
            type Error = Error;

            fn $element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        })*
        $(impl $object for Compound<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.named(name, value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        })*
    };
}

compounds!(
    arrays: SerializeSeq serialize_element, SerializeTuple serialize_element,
        SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field;
    objects: SerializeStruct, SerializeStructVariant
);

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;
    use serde_json::{json, value::RawValue};

    use super::JsonWriter;

    #[track_caller]
    fn check<T: Serialize>(value: T) {
        let mut out = JsonWriter::default();
        out.put("before ").value(&value);
        assert_eq!(out.into_string(), format!("before {}", serde_json::to_string(&value).unwrap()));
    }

    #[derive(Serialize)]
    struct Fields {
        text: &'static str,
        number: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        absent: Option<u8>,
        missing: Option<u8>,
    }

    #[derive(Serialize)]
    struct NoFields {}

    #[derive(Serialize)]
    struct Wrapped(u64);

    #[derive(Serialize)]
    struct Pair(i8, char);

    #[derive(Serialize)]
    struct Flattened {
        first: bool,
        #[serde(flatten)]
        rest: BTreeMap<&'static str, i64>,
    }

    #[derive(Serialize)]
    enum Variants {
        Unit,
        Newtype(f64),
        Tuple(u32, u32),
        Struct { text: &'static str },
        EmptyStruct {},
    }

    #[test]
    fn every_form_of_type_is_written_as_serde_json_writes_it() {
        check(Fields { text: "a \"b\" \\ \u{1}", number: 0.1, absent: None, missing: None });
        check(Fields { text: "ä÷", number: -2.0, absent: Some(7), missing: Some(255) });
        check((NoFields {}, Wrapped(u64::MAX), Pair(-128, '"'), ()));
        check(Flattened { first: true, rest: BTreeMap::from([("b", i64::MIN), ("a", 0)]) });
        check([
            Variants::Unit,
            Variants::Newtype(f64::NAN),
            Variants::Tuple(1, 1000),
            Variants::Struct { text: "" },
            Variants::EmptyStruct {},
        ]);
        check((0.1_f32, Vec::<u8>::new(), vec![vec![1]], BTreeMap::<String, u8>::new()));
        check(json!({ "b": [1, 2.5, null, {}], "a": { "c": "\n" } }));
    }

    #[test]
    fn what_only_serde_json_can_write_is_left_to_it() {
        check((1, BTreeMap::from([(1, "one"), (2, "two")])));
        check((2, RawValue::from_string("{ \"spaces\" : 1 }".to_owned()).unwrap()));
        check((3, i128::MAX));
    }
}
