#[test]
fn builds() { println!("{}", env!("CARGO_BIN_EXE_scent")); }
