// Writes static/vendor/codemirror from the packages of the lockfile: the script,
// the versions in it and their licenses. The gate runs it and compares.
import { build } from "esbuild";
import { readFileSync, writeFileSync, readdirSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const tools = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(tools, "../static/vendor/codemirror");
const { metafile } = await build({
  absWorkingDir: tools,
  entryPoints: ["codemirror/entry.js"],
  outfile: join(folder, "codemirror.min.js"),
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "CodeMirror",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
});

const names = new Set();
for (const [path, input] of Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))) {
  if (input.bytesInOutput === 0) continue;
  const name = path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1];
  if (name) names.add(name);
}
const versions = [], licenses = new Map(); // one text for the packages that share it
for (const name of [...names].sort()) {
  const home = join(tools, "node_modules", name);
  versions.push(`${name} ${JSON.parse(readFileSync(join(home, "package.json"))).version}`);
  const text = readFileSync(join(home, readdirSync(home).find((file) => /^licen[cs]e/i.test(file))), "utf8").trim();
  licenses.set(text, [...(licenses.get(text) ?? []), name]);
}
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "VERSION"), versions.join("\n") + "\n");
writeFileSync(join(folder, "LICENSE"), [...licenses].map(([text, list]) => `${list.join(", ")}:\n\n${text}\n`).join("\n---\n\n"));
