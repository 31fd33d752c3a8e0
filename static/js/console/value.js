// JSON as it is written: numbers keep their digits, members their order. A number is an
// instance of Digits.
class Digits { constructor(text) { this.text = text; } }

// readValue reads a JSON text. It throws an error with the place where it is wrong.
const readValue = (text) => {
  let at = 0;
  const space = /[ \t\r\n]*/y, literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y, string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
  const fail = (wanted) => {
    const before = text.slice(0, at).split("\n");
    throw new Error(`Line ${before.length}, column ${before.at(-1).length + 1}: ${wanted} is expected.`);
  };
  const skip = () => { space.lastIndex = at; space.exec(text); at = space.lastIndex; };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) at += found.length;
    return found;
  };
  const list = (close, item) => {
    at++;
    skip();
    if (text[at] === close) return at++;
    for (;;) {
      skip();
      item();
      skip();
      if (text[at] === close) return at++;
      if (text[at] !== ",") fail(`a comma or ${close}`);
      at++;
    }
  };
  const value = (depth) => {
    skip();
    if (depth > 100) fail("less depth");
    if (text[at] === "{") {
      const members = new Map();
      list("}", () => {
        const name = take(string) ?? fail("a name in double quotes");
        skip();
        if (text[at] !== ":") fail("a colon");
        at++;
        members.set(JSON.parse(name), value(depth + 1));
      });
      return members;
    }
    if (text[at] === "[") {
      const items = [];
      list("]", () => items.push(value(depth + 1)));
      return items;
    }
    const quoted = take(string);
    if (quoted) return JSON.parse(quoted);
    const word = take(literal) ?? fail("a value");
    return word in words ? words[word] : new Digits(word);
  };
  const words = { true: true, false: false, null: null };
  const result = value(0);
  skip();
  if (at < text.length) fail("the end");
  return result;
};

// writeValue writes a value in lines, as the documentation has examples.
const writeValue = (value, indent = "") => {
  const inner = indent + "  ";
  const wrap = (open, list, close) => (list.length ? `${open}\n${list.map((one) => inner + one).join(",\n")}\n${indent}${close}` : open + close);
  if (value instanceof Digits) return value.text;
  if (value instanceof Map) return wrap("{", [...value].map(([name, one]) => `${JSON.stringify(name)}: ${writeValue(one, inner)}`), "}");
  if (Array.isArray(value)) return wrap("[", value.map((one) => writeValue(one, inner)), "]");
  return JSON.stringify(value);
};
