//! Long stacks of one thing in one file, whose cost is to grow with their length and no faster.

/// Texts of one shape and any length.
pub struct Stack {
    pub name: &'static str,
    pub text: fn(usize) -> String,
    /// A length that is worth measuring.
    pub count: usize,
}

pub const ALL: [Stack; 5] = [
    Stack {
        name: "comments",
        text: comments,
        count: 50_000,
    },
    Stack {
        name: "lists of one comment",
        text: lists,
        count: 50_000,
    },
    Stack {
        name: "lines of one definition",
        text: lines,
        count: 20_000,
    },
    Stack {
        name: "definitions",
        text: definitions,
        count: 20_000,
    },
    Stack {
        name: "words of one definition",
        text: words,
        count: 40_000,
    },
];

fn comments(count: usize) -> String {
    let comments = "// cudalint: ignore[CL104]\n".repeat(count);
    format!("void f() {{\n{comments}cudaFree(0); }}\n")
}

fn lists(count: usize) -> String {
    let lists = "// cudalint: ignore[CL104] ".repeat(count);
    format!("void f() {{\n{lists}\ncudaFree(0); }}\n")
}

fn lines(count: usize) -> String {
    let lines: String = (0..count).map(|it| format!("  g({it}); \\\n")).collect();
    format!("#define M() \\\n{lines}  cudaFree(0)\nvoid f() {{ M(); }}\n")
}

fn definitions(count: usize) -> String {
    let lines: String = (0..count)
        .map(|it| format!("#define M{it} \\\n  {it}\n"))
        .collect();
    format!("{lines}void f() {{ cudaFree(0); }}\n")
}

fn words(count: usize) -> String {
    let lines: String = (0..count).map(|it| format!("  word_{it} \\\n")).collect();
    format!("#define M \\\n{lines}\nvoid f() {{ cudaFree(0); }}\n")
}
