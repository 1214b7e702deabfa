//! JSON objects that must be objects: serde would also accept an array of the values in field order.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};

/// A value that is deserialized from an object only.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectOf(PhantomData)).map(Self)
    }
}

struct ObjectOf<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectOf<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

impl<T: Serialize> Serialize for Object<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

#[test]
fn a_list_is_no_object() {
    #[derive(serde::Deserialize)]
    struct TwoFields {
        one: u8,
        two: Option<u8>,
    }
    let read =
        |text| serde_json::from_str::<Object<TwoFields>>(text).map(|Object(pair)| (pair.one, pair.two));
    assert_eq!(read(r#"{"one": 1}"#).unwrap(), (1, None));
    assert!(serde_json::from_str::<TwoFields>("[1, 2]").is_ok(), "which is why this is here");
    assert!(
        read("[1, 2]").unwrap_err().to_string().starts_with("invalid type: sequence, expected an object")
    );
}
