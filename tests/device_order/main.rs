//! Random CUDA programs: what the analyser says of them against what a GPU did, and against an independent order.

mod encode;
mod generate;
mod program;
mod random;
mod render;

#[test]
fn dump() {
    let Ok(folder) = std::env::var("DUMP") else { return };
    let count: u64 = std::env::var("COUNT").unwrap().parse().unwrap();
    let mut lines = String::new();
    for seed in 0..count {
        let program = generate::generate(seed);
        let source = render::render(&program);
        let at = std::path::Path::new(&folder).join(format!("{seed:05}"));
        if seed < 60 || std::env::var("ALL").is_ok() {
            std::fs::create_dir_all(&at).unwrap();
            for (name, text) in &source.files {
                std::fs::write(at.join(name), text).unwrap();
            }
        }
        lines += &format!("{seed} {}\n", encode::encode(&program));
    }
    std::fs::write(std::path::Path::new(&folder).join("cases.txt"), lines).unwrap();
}
