import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build, transformSync } from 'esbuild';
import { isArray, isObject, type JsonValue, mapMembers } from '../src/base/json/json.ts';
import type { JsonSchema } from '../src/kinds/jsonSchema.ts';
import { creatableKinds, knownKinds, readOnlyKinds } from '../src/schema/record/kinds.ts';
import { pageModule, pages } from './browserPages.ts';
import { withoutClient } from './bundling.ts';

/**
 * Writes `generated/`: a self-contained validator for each kind (ajv's standalone code, so that ajv itself is not
 * loaded at run time), the JSON Schemas of manifests, the interfaces of constructs' props, the methods that add to
 * their lists, the scripts and styles of HTML reports and of the console, and the programs that run with policies in
 * their sandbox. Run by `npm run generate`, the build and the tests.
 */

const root = new URL('..', import.meta.url).pathname;
const validators = `${root}generated/validators`;
const schemas = `${root}generated/schemas`;
mkdirSync(validators, { recursive: true });
mkdirSync(schemas, { recursive: true });
mkdirSync(`${root}generated/interfaces`, { recursive: true });
mkdirSync(`${root}constructs/generated`, { recursive: true });
mkdirSync(`${root}generated/kinds`, { recursive: true });
writeWhole(`${root}generated/kinds/list.ts`, sheetsText());
writeWhole(`${root}generated/kinds/published.ts`, publishedKindsText());
// The following reads the sheets and the words of all kinds.
const { customRecordSchema, manifestSchema, recordSchema } = await import('../src/kinds/jsonSchema.ts');
const { interfacesText } = await import('./interfaces/interfaces.ts');
const { listsText } = await import('./interfaces/lists.ts');
const { classesText } = await import('./interfaces/classes.ts');
writeWhole(`${root}generated/interfaces/props.ts`, interfacesText());
writeWhole(`${root}constructs/generated/lists.ts`, listsText());
const isByHand = (className: string) =>
  existsSync(`${root}constructs/kinds/${className.slice(0, 1).toLowerCase()}${className.slice(1)}.ts`);
writeWhole(`${root}constructs/generated/kinds.ts`, classesText(isByHand));
for (const page of pages) {
  mkdirSync(`${root}generated/${page}`, { recursive: true });
  writeWhole(`${root}generated/${page}/page.ts`, await pageModule(root, page));
}
mkdirSync(`${root}generated/policies`, { recursive: true });
writeWhole(`${root}generated/policies/programs.ts`, await policyProgramsModule(root));

for (const kind of [...creatableKinds, ...readOnlyKinds]) writeValidator(kind, recordSchema(kind));
writeValidator('custom', customRecordSchema());
const known = [...creatableKinds, ...readOnlyKinds, 'custom'];
// Written out so that a bundler finds each.
writeWhole(
  `${validators}/all.js`,
  `const all = {\n${known.map((kind) => `  ${kind}: () => import('./${kind}.js'),\n`).join('')}};
export const load = (name) => all[name]();
`,
);
writeWhole(
  `${validators}/declarable.js`,
  `${creatableKinds.map((kind) => `import { validate as ${kind} } from './${kind}.js';\n`).join('')}
export const validators = new Map(Object.entries({ ${creatableKinds.join(', ')} }));
`,
);

/** The sheet of each kind. */
function sheetsText(): string {
  const imports = knownKinds.map((kind) => `import { ${kind} } from '../../src/kinds/${kind}/sheet.ts';\n`);
  const type = "import type { Sheets } from '../../src/kinds/common/sheet.ts';\n";
  return `${imports.join('')}${type}\nexport const sheets = { ${knownKinds.toSorted().join(', ')} } satisfies Sheets;\n`;
}

/** The modules with the published words of each kind: the files `published.ts` in their folders. */
function publishedKindsText(): string {
  const kinds = knownKinds.filter((kind) => existsSync(`${root}src/kinds/${kind}/published.ts`));
  const imports = kinds.map((kind) => `import { published as ${kind} } from '../../src/kinds/${kind}/published.ts';\n`);
  return `${imports.join('')}\nexport const publishedKinds = { ${kinds.join(', ')} };\n`;
}

function writeValidator(name: string, schema: JsonSchema): void {
  // `unicode: false` counts lengths in UTF-16 units, as JavaScript does; otherwise the code would need ajv's runtime.
  const ajv = new Ajv({
    code: { source: true, esm: true },
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    unicode: false,
    unicodeRegExp: false,
    inlineRefs: false,
    messages: false, // src/kinds/shapeProblem.ts has the messages
    logger: false, // it only warns that `unicode` is deprecated; errors in a schema are thrown
  });
  // Without `$schema`: the validators of draft 2020 track evaluated properties, for keywords that no schema here has.
  const { $schema: _, ...described } = statedOnce(schema);
  const code = withoutSchemas(standalone.default(ajv, ajv.compile(described)));
  if (/\brequire\(|\bfrom\s*["']/.test(code)) throw new Error(`the validator of ${name} would load another module`);
  const short = repeatedOnce(testsInShort(errorsInShort(compiledEagerly(code))));
  writeWhole(`${validators}/${name}.js`, transformSync(short, { minify: true, format: 'esm', treeShaking: true }).code);
}

/**
 * Half of ajv's code creates errors, each with the statements that store it: one function replaces these. Code in
 * another form is not changed. `schemaPath` is not used.
 */
function errorsInShort(code: string): string {
  const error =
    /const (err\d+) = \{instancePath:([^{}]*?),keyword:("\w+"),params:(\{[^{}]*\})\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;/g;
  const add =
    'function add(all, instancePath, keyword, params){const error = {instancePath,keyword,params};if(all === null){return [error];}all.push(error);return all;}';
  const body = code
    .replace(/schemaPath:"(?:[^"\\]|\\.)*",/g, '')
    .replaceAll('{instancePath,', '{instancePath:instancePath,')
    .replace(error, 'vErrors = add(vErrors, $2, $3, $4);errors++;');
  return `${body}\n${add}`;
}

/**
 * Removes the schema from the code, which needs only some lists of words, and the names of the fields of an object with
 * many.
 */
function withoutSchemas(code: string): string {
  const schemas = new Map<string, JsonValue>();
  for (const { 0: begin, 1: name = '', index } of code.matchAll(/const (schema\d+) = /g)) {
    const text = code.slice(index + begin.length);
    schemas.set(name, JSON.parse(text.slice(0, text.search(/;(?:const|function) /))));
  }
  const fields = new Map<string, string>();
  const body = code.replace(/\b(schema\d+)((?:\.[\w$]+|\["(?:[^"\\]|\\.)*"\])+)/g, (_, name, path) => {
    const steps = [...path.matchAll(/\.([\w$]+)|\[("(?:[^"\\]|\\.)*")\]/g)];
    const value = steps.reduce<JsonValue | undefined>(
      (at, [, plain, quoted]) => (isObject(at) ? at[plain ?? JSON.parse(quoted)] : undefined),
      schemas.get(name),
    );
    if (!isObject(value)) return JSON.stringify(value);
    const names = JSON.stringify(mapMembers(value, () => 0));
    const constant = fields.get(names) ?? `fields${fields.size}`;
    fields.set(names, constant);
    return constant;
  });
  return body.replace(';', `;${[...fields].map(([names, constant]) => `const ${constant} = ${names};`).join('')}`);
}

/** Shortens ajv's tests for each object and each integer, and removes unused communication between validators. */
function testsInShort(code: string): string {
  const body = code
    .replace(/\b(\w+) && typeof \1 == "object" && !Array\.isArray\(\1\)/g, 'isObject($1)')
    .replace(
      /\(\(typeof (\w+) == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)/g,
      'Number.isInteger($1)',
    )
    .replace(/,parentData:\w+,parentDataProperty:[^,{}]+,rootData\}/g, '}')
    .replaceAll(', parentData, parentDataProperty, rootData=data}={}', '}={}');
  return `${body}\nfunction isObject(value){return typeof value === "object" && value !== null && !Array.isArray(value);}`;
}

/** Turns long texts, objects and lists of plain values that are repeated into constants. */
function repeatedOnce(code: string): string {
  const text = '"(?:[^"\\\\]|\\\\.)*"';
  const plain = `(?:${text}|-?\\d+(?:\\.\\d+)?)`;
  const literal = new RegExp(
    `\\{\\w+: ?${plain}(?:, ?\\w+: ?${plain})*\\}|\\[${plain}(?:,${plain})*\\]|${text}:?`,
    'g',
  );
  const times = new Map<string, number>();
  for (const [found] of code.matchAll(literal)) times.set(found, (times.get(found) ?? 0) + 1);
  const repeated = [...times].filter(([found, count]) => count > 1 && found.length > 9 && !found.endsWith(':'));
  const names = new Map(repeated.map(([found], index) => [found, `constant${index}`]));
  const constants = [...names].map(([found, name]) => `const ${name} = ${found};`);
  return `${constants.join('')}\n${code.replace(literal, (found) => names.get(found) ?? found)}`;
}

/** Defines a repeated object of a schema only once, so that its code also exists once. */
function statedOnce(schema: JsonSchema): JsonSchema {
  const times = new Map<string, number>();
  const definitions: Record<string, JsonValue> = {};
  const names = new Map<string, string>();
  const isDescribed = (value: JsonValue) =>
    isObject(value) && value['type'] === 'object' && isObject(value['properties']);
  function count(value: JsonValue): void {
    const text = JSON.stringify(value);
    if (isDescribed(value)) times.set(text, (times.get(text) ?? 0) + 1);
    if (times.get(text) === 2) return;
    for (const member of isArray(value) ? value : isObject(value) ? Object.values(value) : []) count(member);
  }
  function referred(value: JsonValue): JsonValue {
    const text = JSON.stringify(value);
    if ((times.get(text) ?? 0) < 2) return inside(value);
    const name = names.get(text) ?? `object${names.size}`;
    if (!names.has(text)) {
      names.set(text, name);
      definitions[name] = inside(value);
    }
    return { $ref: `#/$defs/${name}` };
  }
  function inside(value: JsonValue): JsonValue {
    if (isArray(value)) return value.map(referred);
    return isObject(value) ? mapMembers(value, referred) : value;
  }
  count(schema);
  return { ...mapMembers(schema, referred), $defs: definitions };
}

for (const kind of creatableKinds) writeSchema(kind, manifestSchema(kind));
// Users do not write these; the schema is that of the record as the platform returns it.
for (const kind of readOnlyKinds) writeSchema(kind, recordSchema(kind));

/**
 * The validator as a function in parentheses: the engine then compiles it with its module, and Node's compile cache
 * stores it. A declaration would be compiled again in every process, which takes 9 ms for a workload.
 */
function compiledEagerly(code: string): string {
  const exported = /export const validate = (validate\d+);export default validate\d+;/.exec(code);
  const name = exported?.[1];
  if (exported === null || name === undefined) throw new Error('ajv writes its exports in another way');
  const begin = `function ${name}(`;
  const [before, after, ...others] = code.replace(exported[0], '').split(begin);
  if (
    after === undefined ||
    others.length > 0 ||
    after.includes('function ') ||
    !after.endsWith('return errors === 0;}')
  )
    throw new Error('ajv writes validators in another way');
  const body = `${before}const ${name} = (${begin}${after});`;
  return `${body}\nexport { ${name} as validate, ${name} as default };\n`;
}

function writeSchema(kind: string, schema: unknown): void {
  writeWhole(`${schemas}/${kind}.json`, `${JSON.stringify(schema, null, 2)}\n`);
}

/** Writes in one step, so that a concurrent process never finds half a file, or none. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

/** The programs that run with policies in their sandbox, and those for rules: a text each, including all imports. */
async function policyProgramsModule(root: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { policies: 'src/policies/rules/inSandbox.ts', rules: 'src/policies/rules/rulesInSandbox.ts' },
    outdir: 'generated/policies',
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
    plugins: [withoutClient],
  });
  return outputFiles
    .map(
      ({ path, text }) =>
        `export const ${path.endsWith('rules.js') ? 'rules' : 'policies'} = ${JSON.stringify(text)};\n`,
    )
    .join('');
}
