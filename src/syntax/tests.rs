//! Behaviour of the pre-pass.

use super::*;

fn prepared(source: &str) -> Prepared {
    prepare(
        source.as_bytes(),
        &Defines::for_cuda(13000),
        &collect_macros(source.as_bytes()),
    )
}

fn masked(source: &str) -> String {
    let prepared = prepared(source);
    assert_eq!(prepared.text.len(), source.len());
    String::from_utf8(prepared.text).unwrap()
}

/// The masked text with runs of white space as one space.
fn squeezed(source: &str) -> String {
    masked(source).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn errors(source: &str) -> u64 {
    error_bytes(&parse(masked(source).as_bytes()).unwrap())
}

fn flips(source: &str) -> Vec<String> {
    let flips = prepared(source).flips;
    flips
        .into_iter()
        .map(|flip| format!("{}={}", flip.name, flip.value.unwrap_or_default()))
        .collect()
}

#[test]
fn launch_configuration_keeps_its_offsets() {
    let source = "void f() { k<int, 4><<<dim3(1), b >> 2, 0, s>>>(x); (*p)<< <1, 2>>> (y); }";
    let text = masked(source);
    assert_eq!(
        text,
        "void f() { k<int, 4>  (dim3(1), b >> 2, 0, s)  (x); (*p)   (1, 2)   (y); }"
    );
    let launches = prepared(source).launches;
    assert_eq!(launches.len(), 2);
    assert!(
        launches
            .iter()
            .all(|it| text.as_bytes()[it.open as usize] == b'(')
    );
    assert!(
        launches
            .iter()
            .all(|it| text.as_bytes()[it.close as usize] == b')')
    );
    assert_eq!(errors(source), 0);
}

#[test]
fn shifts_operators_and_conflict_markers_are_no_launches() {
    for source in [
        "os << a << b;",
        "operator<< <int>(os, x);",
        "a <<<<<<< HEAD\n",
        "k<<<1, 2; f(a >>> b)",
        "x = k<<<",
        ">>>",
    ] {
        assert!(prepared(source).launches.is_empty(), "{source}");
        assert_eq!(masked(source), source);
    }
}

#[test]
fn launches_in_comments_strings_and_inactive_regions_do_not_count() {
    let source = "// k<<<1,1>>>()\n/* k<<<1,1>>>() */ const char *s = \"k<<<1,1>>>()\";\n#if 0\nk<<<1,1>>>();\n#endif\n";
    assert!(prepared(source).launches.is_empty());
}

#[test]
fn qualifiers_are_blanked_and_marked() {
    let source = "template <int N> __global__ void __launch_bounds__(N * (2)) k(int *__restrict__ p);\nHD int f();\n#define HD __host__ __device__\n";
    assert_eq!(squeezed(source), "template <int N> void k(int * p); int f();");
    let marks: Vec<_> = prepared(source)
        .qualifiers
        .iter()
        .map(|mark| mark.qualifier)
        .collect();
    use Qualifier::*;
    assert_eq!(marks, [Global, LaunchBounds, Other, Host, Device]);
}

#[test]
fn macros_that_are_empty_elsewhere_are_blanked_where_a_specifier_stands() {
    let table = collect_macros(b"#define API\n#define NOTHING(x)\n");
    let text = |source: &str| {
        String::from_utf8(prepare(source.as_bytes(), &Defines::default(), &table).text).unwrap()
    };
    assert_eq!(
        text("API void f() API; int API = 2; NOTHING(a b);"),
        "    void f()    ; int API = 2;             ;"
    );
}

#[test]
fn volatile_survives_in_project_macros() {
    assert_eq!(
        squeezed("#define VOLATILE __shared__ volatile\nVOLATILE int x;"),
        "volatile int x;"
    );
}

#[test]
fn check_macros_without_semicolon_get_one() {
    let source = "void f() {\n  CHECK(cudaFree(p))\n  CHECK(a) CHECK(b)\n  if (x) { CHECK(y) }\n  if (z) {CHECK(w)}\n}\n";
    let text = masked(source);
    assert_eq!(
        text,
        "void f() {\n  CHECK(cudaFree(p))\n; CHECK(a);CHECK(b)\n; if (x) { CHECK(y);}\n  if (z) {      w;}\n}\n"
    );
    assert_eq!(errors(source), 0);
}

#[test]
fn function_heads_and_control_statements_get_no_semicolon() {
    let source = "struct S {\n  S(int x)\n    : x(x) {}\n  S()\n  noexcept {}\n};\nint g(int)\n{\n  if (a)\n    b();\n  for (;;)\n    c();\n  return f(x)\n   + 1;\n}\n";
    assert_eq!(masked(source), source);
}

#[test]
fn test_heads_become_function_heads() {
    let source = "TEST_CASE(\"a b\", \"[x]\") {\n  SECTION(\"s\") { f(); }\n}\nTEST(A, B)\n{\n}\n";
    assert_eq!(
        masked(source),
        "TEST_CASE(            ) {\n  SECTION(\"s\");{ f(); }\n}\nTEST(    )\n{\n}\n"
    );
    assert_eq!(prepared(source).tests.len(), 2);
    assert_eq!(errors(source), 0);
}

#[test]
fn statements_as_macro_arguments_become_expressions() {
    assert_eq!(
        masked("void f() { TIME(a(); b();); for (;;) {} }"),
        "void f() { TIME(a(), b() ); for (;;) {} }"
    );
}

#[test]
fn explicit_instantiations_are_blanked_and_recorded() {
    let source = "template __global__ void k<int>(int *);\nextern template class X<int>;\ntemplate <> void k<char>();\n";
    assert_eq!(squeezed(source), "template <> void k<char>();");
    assert_eq!(prepared(source).instantiations.len(), 2);
}

#[test]
fn conditionals_keep_one_side() {
    assert_eq!(
        squeezed("#if CUDART_VERSION >= 12000\na;\n#else\nb;\n#endif\nc;"),
        "a; c;"
    );
    assert_eq!(
        squeezed("#ifdef X\na;\n#elif defined(__CUDACC__) && !X\nb;\n#else\nc;\n#endif"),
        "b;"
    );
    assert_eq!(squeezed("#ifndef G_H\n#define G_H\na;\n#endif\n"), "a;");
    assert_eq!(
        squeezed("#define V 3\n#if V > 2\na;\n#endif\n#undef V\n#if V\nb;\n#endif"),
        "a;"
    );
    assert_eq!(
        squeezed("#if 0\n#if 1\na;\n#else\nb;\n#endif\n#else\nc;\n#endif"),
        "c;"
    );
}

#[test]
fn unbalanced_conditionals_lose_only_their_own_lines() {
    assert_eq!(squeezed("#endif\na;\n#else\nb;"), "a; b;");
    assert_eq!(squeezed("a;\n#if 1\nb;"), "a; b;");
    assert_eq!(squeezed("a;\n#if X\nb;"), "a;");
}

#[test]
fn device_architecture_is_known_in_device_bodies_only() {
    let sides = "{\n#if __CUDA_ARCH__ >= 700\nd;\n#else\nh;\n#endif\n}";
    assert_eq!(
        squeezed(&format!("__global__ void k() {sides}")),
        "void k() { d; }"
    );
    assert_eq!(
        squeezed(&format!("__device__ int x; void f() {sides}")),
        "int x; void f() { h; }"
    );
    assert_eq!(
        squeezed(&format!("__host__ __device__ void f() {sides}")),
        "void f() { h; }"
    );
    assert_eq!(
        squeezed("#if __CUDA_ARCH__ >= 700\nd;\n#endif\n#ifndef __CUDA_ARCH__\nh;\n#endif"),
        "d; h;"
    );
    assert_eq!(
        squeezed("void f() {\n#ifdef __CUDA_ARCH__\nd;\n#endif\n}"),
        "void f() { }"
    );
}

#[test]
fn unknown_macros_that_hide_launches_are_flips() {
    let launch = "k<<<1, 1>>>();";
    assert_eq!(
        flips(&format!(
            "#ifdef A\n{launch}\n#endif\n#if B >= 3\n{launch}\n#endif"
        )),
        ["A=1", "B=3"]
    );
    assert_eq!(flips("#ifndef A\nx;\n#else\ncudaFree(p);\n#endif"), ["A=1"]);
    assert_eq!(
        flips(&format!(
            "#ifndef A\n#define A 0\n#endif\n#if A\n{launch}\n#endif"
        )),
        ["A=1"]
    );
    assert_eq!(
        flips(&format!(
            "#define A 0\n#if A\n{launch}\n#endif\n#ifdef _WIN32\n{launch}\n#endif"
        )),
        [""; 0]
    );
    assert_eq!(
        flips(&format!("#ifdef A\nx;\n#endif\n#if 0\n{launch}\n#endif")),
        [""; 0]
    );
    let many: String = (0..40)
        .map(|index| format!("#ifdef A{index}\n{launch}\n#endif\n"))
        .collect();
    assert_eq!(flips(&many).len(), 12);
}

#[test]
fn directives_are_read_and_blanked() {
    let source = "#include <a/b.h> // x\n# include \"c.cuh\"\n#pragma omp parallel\n#define F(a, b...) \\\n a + b /* c */\n#define E\nx;";
    let prepared = prepared(source);
    assert_eq!(
        prepared.includes,
        [("a/b.h".to_owned(), true), ("c.cuh".to_owned(), false)]
    );
    assert_eq!(prepared.pragmas.len(), 1);
    assert_eq!(
        prepared.macros[0].params.as_deref(),
        Some(&["a".to_owned(), "b".to_owned(), "...".to_owned()][..])
    );
    let body = prepared.macros[0].body;
    assert_eq!(&source[body.start as usize..body.end as usize], "a + b");
    assert_eq!(String::from_utf8(prepared.text).unwrap().trim(), "x;");
}

#[test]
fn comments_that_speak_to_the_tool_are_kept() {
    let source = "f(); // cudalint: allow(x)\n#define A 1 // NOLINT\n/* other */";
    let spans = prepared(source).marked_comments;
    let texts: Vec<_> = spans
        .iter()
        .map(|span| &source[span.start as usize..span.end as usize])
        .collect();
    assert_eq!(texts, ["// cudalint: allow(x)", "// NOLINT"]);
}

const TRICKY: &str = "\u{feff}#ifndef H\r\n#define H(x, y) \\\r\n  k<<<x, y>>>(\"\\\"\")\r\n#if defined(A) && (B > 1 || !C)\r\nR\"d(\n)d\"\r\n\
    #elif 1\r\n__global__ void __launch_bounds__(1) k() { CHECK(x)\r\n a<<<1, (2), \"s\", 1'0>>>('\\''); /* é */ }\r\n#endif\r\n\
    TEST(\"x\") {\r\n f(a; b;) } template class X<int>; #endif // cudalint \\\n x\r";

#[test]
fn every_prefix_and_every_removed_byte_keeps_the_length() {
    let bytes = TRICKY.as_bytes();
    let defines = Defines::for_cuda(13000);
    for cut in 0..bytes.len() {
        let without: Vec<u8> = [&bytes[..cut], &bytes[cut + 1..]].concat();
        for source in [&bytes[..cut], &bytes[cut..], &without] {
            let prepared = prepare(source, &defines, &collect_macros(source));
            assert_eq!(prepared.text.len(), source.len());
            let changed_newlines = source
                .iter()
                .zip(&prepared.text)
                .filter(|(a, b)| **a == b'\n' && a != b);
            assert!(changed_newlines.count() <= 2);
            parse(&prepared.text).unwrap();
        }
    }
}

#[test]
fn hostile_input_takes_linear_time() {
    let repeated = [
        "#if A\n",
        "k<<<(",
        "(",
        "{",
        "a<<<b",
        "CHECK(x)\n",
        "\"",
        "/*",
        "#define A A A\n",
        "template ",
        "R\"(",
        "}",
        "<",
        "__align__(",
        "#elif 1\n",
        "x = [",
        "namespace",
        "TEST(",
        ")",
    ];
    for piece in repeated {
        let source = piece.repeat(200_000);
        let prepared = prepare(
            source.as_bytes(),
            &Defines::default(),
            &collect_macros(source.as_bytes()),
        );
        assert_eq!(prepared.text.len(), source.len());
        is_relevant(source.as_bytes());
    }
}

#[test]
fn macros_without_arguments_can_be_statements() {
    let source = "#define CUERR { if (e) { exit(1); } }\n#define LIST {1, 2}\nvoid f() {\n  g(); CUERR\n  int x[] = LIST;\n}\n";
    assert_eq!(squeezed(source), "void f() { g(); CUERR ; int x[] = LIST; }");
}

#[test]
fn types_as_arguments_become_names() {
    let source =
        "void f(int, char *) { x = alloc(unsigned int, 4); SWAP(a, int, b); y = va_arg(l, const char *); }";
    let expected =
        "void f(int, char *) { x = alloc(Unsigned_int, 4); SWAP(a, Int, b); y = va_arg(l, Const_char  ); }";
    assert_eq!(masked(source), expected);
    assert_eq!(
        masked("void f() { g(int(x), (int)y); int h(int); }"),
        "void f() { g(int(x), (int)y); int h(int); }"
    );
}

#[test]
fn arrays_of_pointers_and_string_macros_parse() {
    assert_eq!(
        masked("void f() { p = new const T<int> **[n]; }"),
        "void f() { p = new const T<int>   [n]; }"
    );
    assert_eq!(
        squeezed("void f() { printf(\"%5\" PRIu64 \" ns\" PRIx, x); }"),
        "void f() { printf(\"%5\" \" ns\" , x); }"
    );
    assert_eq!(masked("extern \"C\" void f();"), "extern \"C\" void f();");
}

#[test]
fn string_macros_with_arguments_join_their_neighbours() {
    let source =
        "void f() { g(\"a \" STR(A) \".\" STR(B), x); g(STR(A) \".\"); asm(\"\" : \"=r\"(x) : \"r\"(y)); }";
    assert_eq!(
        squeezed(source),
        "void f() { g(\"a \" \".\" , x); g( \".\"); asm(\"\" : \"=r\"(x) : \"r\"(y)); }"
    );
}

#[test]
fn declaration_macros_outside_functions_lose_their_arguments() {
    let source = "API(int, f, const void *p);\nint g() { CHECK(x * y); }\nGETTER(I8, int8_t)\nvoid h();\n";
    assert_eq!(
        squeezed(source),
        "API( ); int g() { CHECK(x * y); } GETTER(I8, Int8_t);void h();"
    );
    assert_eq!(errors(source), 0);
}

#[test]
fn a_throw_between_values_is_an_operator() {
    let source = "void f(int n) { n > 0 ? (void)0 : throw E{\"a\" STR(1) b}; x = n ? throw g() : 1; }";
    assert_eq!(
        squeezed(source),
        "void f(int n) { n > 0 ? (void)0 : ! E{\"a\" b}; x = n ? ! g() : 1; }"
    );
    assert_eq!(prepared(source).throws.len(), 2);
    for source in [
        "void f() { switch (n) { case 1: throw E(); default: throw g(); } }",
        "void f() { int n = a ? b : c; x: throw n; }",
        "void f() { n ? throw : g(); }",
    ] {
        assert_eq!(masked(source), source);
    }
}

#[test]
fn a_namespace_is_called_what_its_macro_stands_for() {
    let named = |source: &str| prepared(source).namespaces.into_iter().collect::<Vec<_>>();
    let meant = |name: &str, is: &str| vec![(name.to_owned(), is.to_owned())];
    assert_eq!(
        named(
            "#define API __attribute__((visibility(\"default\")))\n#define LIB API lib\nnamespace LIB { void f(); }"
        ),
        meant("LIB", "lib")
    );
    assert_eq!(
        named("#define ONE two\n#define LIB ONE\nnamespace LIB {}"),
        meant("LIB", "two")
    );
    assert_eq!(named("namespace lib {}"), []);
    assert_eq!(named("#define LIB a b\nnamespace LIB {}"), []);
    assert_eq!(named("#define LIB a\n#define LIB f(x);\nnamespace LIB {}"), []);
}
