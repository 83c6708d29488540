// Which program is started, and what a picture's page may do.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";

import { find, type Surroundings } from "../src/binary";
import { page } from "../src/picture";

const root = mkdtempSync(join(tmpdir(), "cudalint-"));
after(() => rmSync(root, { recursive: true }));

function program(path: string, mode = 0o755): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, "");
  chmodSync(full, mode);
  return full;
}

const nothing: Surroundings = {
  setting: "",
  environment: {},
  home: join(root, "home"),
  folders: [],
  trusted: true,
  windows: false,
};

test("the setting comes first, and nothing replaces one that is wrong", () => {
  const path = program("path/cudalint");
  const named = program("home/tools/lint");
  const environment = { PATH: dirname(path) };
  assert.deepEqual(find({ ...nothing, environment }), { path });
  assert.deepEqual(find({ ...nothing, environment, setting: named }), { path: named });
  assert.deepEqual(find({ ...nothing, environment, setting: "~/tools/lint" }), { path: named });
  const gone = join(root, "gone");
  assert.deepEqual(find({ ...nothing, environment, setting: gone }), { tried: [gone] });
});

test("the setting may begin in the workspace", () => {
  const path = program("work/build/cudalint");
  const folders = [join(root, "work")];
  assert.deepEqual(find({ ...nothing, folders, setting: "${workspaceFolder}/build/cudalint" }), { path });
  assert.deepEqual(find({ ...nothing, folders, setting: "build/cudalint" }), { path });
});

test("a Python environment is looked at after PATH, the active one first", () => {
  const active = program("active/bin/cudalint");
  const own = program("project/.venv/bin/cudalint");
  const folders = [join(root, "project")];
  const environment = { PATH: join(root, "empty"), VIRTUAL_ENV: join(root, "active") };
  assert.deepEqual(find({ ...nothing, folders, environment }), { path: active });
  assert.deepEqual(find({ ...nothing, folders }), { path: own });
});

test("nothing of a workspace that is not trusted is started", () => {
  program("strange/venv/bin/cudalint");
  program("strange/cudalint");
  const folders = [join(root, "strange")];
  for (const PATH of ["", ".", "strange"]) {
    assert.deepEqual(find({ ...nothing, folders, trusted: false, environment: { PATH } }), { tried: [] });
  }
});

test("what cannot be run is no program", () => {
  const plain = program("plain/cudalint", 0o644);
  assert.deepEqual(find({ ...nothing, environment: { PATH: dirname(plain) } }), { tried: [plain] });
  mkdirSync(join(root, "folder/cudalint"), { recursive: true });
  const tried = [join(root, "folder/cudalint")];
  assert.deepEqual(find({ ...nothing, environment: { PATH: join(root, "folder") } }), { tried });
});

test("Windows has other names", () => {
  const path = program("windows/Scripts/cudalint.exe", 0o644);
  const environment = { VIRTUAL_ENV: join(root, "windows") };
  assert.deepEqual(find({ ...nothing, windows: true, environment }), { path });
});

test("a page runs nothing and shows names as they are", () => {
  const steps = [{ path: "a.cu", line: 3, message: "`k<int>` waits" }];
  const html = page({ title: "<script>", svg: "<svg></svg>", finding: { code: "CL102", rule: "r", steps } });
  assert.ok(html.includes("&lt;script&gt;") && html.includes("`k&lt;int&gt;` waits"));
  assert.ok(html.includes("default-src 'none'") && html.includes("<svg></svg>"));
});
