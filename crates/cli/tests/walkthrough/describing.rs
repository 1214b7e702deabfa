//! The OpenAPI document and its viewer.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::stage::Stage;

/// The head of an answer in lower case, and its body.
fn page(stage: &Stage, path: &str) -> (String, Vec<u8>) {
    let mut connection = TcpStream::connect(stage.address()).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).unwrap();
    let mut reply = Vec::new();
    connection.read_to_end(&mut reply).unwrap();
    let end = reply.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let body = reply.split_off(end + 4);
    (String::from_utf8(reply).unwrap().to_lowercase(), body)
}

#[test]
fn the_document_that_is_served_is_the_one_the_code_gives() {
    let stage = Stage::set();
    let reply = stage.nobody.send("GET", "/api/v1/openapi.json", b"", None).unwrap();
    assert_eq!((reply.status, reply.content_type.as_str()), (200, "application/json"));
    assert_eq!(reply.text, assize_server::openapi_document());
    stage.end();
}

#[test]
fn the_viewer_needs_no_script_in_its_page_and_nothing_from_elsewhere() {
    let stage = Stage::set();
    let (head, _) = page(&stage, "/api/docs");
    assert!(head.starts_with("http/1.1 308") && head.contains("location: /api/docs/\r\n"), "{head}");
    let (head, body) = page(&stage, "/api/docs/");
    assert!(head.contains("content-security-policy: default-src 'self';"), "{head}");
    let html = String::from_utf8(body).unwrap();
    let opened = html.split("<script").skip(1).map(|rest| rest.split("</script>").next().unwrap());
    for script in opened {
        let (attributes, inside) = script.split_once('>').unwrap();
        assert!(
            attributes.contains("src=\"./") && inside.trim().is_empty(),
            "a script in the page: {script}"
        );
    }
    let named = html.split(['"', '\'']).filter(|text| text.starts_with("./") || text.ends_with(".css"));
    let files: Vec<&str> = named.map(|file| file.trim_start_matches("./")).collect();
    assert!(files.contains(&"swagger-initializer.js"), "{files:?}");
    for file in files {
        assert!(page(&stage, &format!("/api/docs/{file}")).0.starts_with("http/1.1 200"), "{file}");
    }
    let settings = String::from_utf8(page(&stage, "/api/docs/swagger-initializer.js").1).unwrap();
    assert!(settings.contains("\"/api/v1/openapi.json\"") && !settings.contains("http"), "{settings}");
    assert!(settings.contains(r#""validatorUrl": "none""#), "a badge would be fetched from elsewhere");
    stage.end();
}
