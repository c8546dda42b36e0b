import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { linkPackages, useProjectFolder } from '../projectFolder.ts';
import { writeEach } from './eachPolicy.ts';

const project = useProjectFolder('sandbox');
const home = temporaryFolder('home-of-policies');

/**
 * A policy that warns with the value of an expression. JavaScript, so that a thread need not load the module that
 * removes types.
 */
function telling(value: string, before = ''): string {
  return `import { policy } from 'gantry/policies';
${before}
export const told = policy({ id: 'told', severity: 'warning', resource: (resource, context) => [{ message: 'told ' + (${value}) }] });
`;
}

beforeEach(() => {
  project.write('gvc.yaml', 'kind: gvc\nname: shop\ndescription: a shop\n');
  project.write('gantry.yaml', 'stack: shop\n');
  project.write('.gantryignore', '*.json\n*.yml\n');
  writeFileSync(join(home, 'credentials.json'), '"canary"');
});

async function refused(): Promise<string> {
  const { stdout, code } = await project.run(['validate', '.'], { GANTRY_TOKEN: 'canary' });
  expect(code, stdout).toBe(1);
  expect(stdout).not.toContain('canary');
  expect(stdout).not.toMatch(/policy\.told/);
  return stdout;
}

async function told(): Promise<string> {
  const { stdout, code } = await project.run(['validate', '.'], { GANTRY_TOKEN: 'canary' });
  expect(code, stdout).toBe(0);
  return /warning: told (.*?) {2}in gvc/.exec(stdout)?.[1] ?? stdout;
}

/** A policy in a file, and the output about it. */
type Row = readonly [it: string, code: string, says: RegExp];

/** Checks all rows in one run. */
async function expectSaid(rows: readonly Row[]): Promise<string> {
  const saidOf = writeEach(
    project,
    rows.map(([, code]) => code),
  );
  const { stdout } = await project.run(['validate', '.'], { GANTRY_TOKEN: 'canary' });
  for (const [index, [it, , says]] of rows.entries()) {
    expect.soft(saidOf(stdout, index), it).toEqual([expect.stringMatching(says)]);
  }
  return stdout;
}

describe('a policy has only the language', () => {
  // biome-ignore format: names
  const globals = [
    'process', 'require', 'module', 'global', 'Buffer', 'fetch', 'WebSocket', 'XMLHttpRequest', 'setTimeout',
    'setInterval', 'setImmediate', 'queueMicrotask', 'WebAssembly', 'Worker', 'Atomics', 'Deno', 'Bun', 'std', 'os',
    'performance', 'crypto', 'navigator', 'location', 'localStorage', 'import.meta.url', 'import.meta.dirname',
  ];

  test('no global name leads outside', async () => {
    project.write('policies/a.mjs', telling(`[${globals.map((name) => `typeof ${name}`).join()}].join(' ')`));
    expect(await told()).toBe(globals.map(() => 'undefined').join(' '));
  });

  test('no constructor, eval, error or caller leads to a process', async () => {
    const stack = 'Error.prepareStackTrace = (_, frames) => typeof frames[0].getThis; return typeof new Error().stack;';
    const escapes = [
      ['the constructor of a function', "(() => {}).constructor('return typeof process')()"],
      ['the constructor of an async function', "(async () => {}).constructor('return typeof process').length"],
      ['the constructor of its argument', "resource.constructor.constructor('return typeof process')()"],
      ['the constructor of console.log', "console.log.constructor('return typeof process')()"],
      ['eval', "(0, eval)('typeof process')"],
      ['the frames of an error', `(() => { ${stack} })()`],
      ['its caller', "(() => { try { return typeof telling.caller; } catch { return 'none'; } })()"],
    ] as const;
    await expectSaid(
      escapes.map(([it, value]) => [it, telling(value), /warning: told (undefined|0|string|none) {2}in gvc/]),
    );
  });

  test('changes nothing in the main thread: prototypes, JSON and errors belong to its own realm', async () => {
    const polluting = `Object.prototype.canary = true;
Array.prototype.canary = () => { throw new Error('polluted'); };
String.prototype.trim = () => 'polluted';
`;
    project.write('policies/a.mjs', polluting + telling("'by itself'"));
    expect(await told()).toBe('by itself');
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('canary' in {}).toBe(false);
    expect(' a '.trim()).toBe('a');
  });

  test('has a given time that stands still, in UTC', async () => {
    const times = 'context.now === new Date().toISOString() && Date.now() === new Date(context.now).getTime()';
    project.write(
      'policies/a.mjs',
      telling(`[${times}, new Date().getTimezoneOffset(), new Date(2027, 0, 31).toISOString()].join()`),
    );
    const before = process.env['TZ'];
    process.env['TZ'] = 'Asia/Tokyo';
    try {
      expect(await told()).toBe('true,0,2027-01-31T00:00:00.000Z');
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });

  test('can print with console', async () => {
    const writes = "console.log('a', { b: 1 }, [2], undefined); console.error(new Error('no'), 'two\\nlines');";
    project.write('policies/a.mjs', telling("'done'", writes));
    const { stderr } = await project.run(['validate', '.']);
    expect(stderr).toContain('a {"b":1} [2] undefined\n');
    expect(stderr).toContain('Error: no two\n');
    expect(stderr).toContain('lines\n');
  });
});

describe('the answer of a policy is passed as text', () => {
  test('in any form, and only a list of problems is accepted', async () => {
    const trying = (value: string) =>
      `import { policy } from 'gantry/policies';\nexport const tried = policy({ id: 'told', resource: () => (${value}) as never });\n`;
    // biome-ignore format: a row is a case
    const results = [
      ['a getter', "[{ get message() { return 'by a getter'; } }]", /policy\.p.* by a getter/],
      ['a getter that throws', "[{ get message() { throw new Error('no'); } }]", /policies\.throws .*Error: no/],
      ['a proxy', "new Proxy([{ message: 'by a proxy' }], {})", /policy\.p.* by a proxy/],
      ['a proxy that throws', "[new Proxy({}, { get() { throw new Error('no'); } })]", /policies\.throws .*Error: no/],
      ['a generator', "(function* () { yield { message: 'yielded' }; })()", /policy\.p.* yielded/],
      ['a promise', "Promise.resolve().then(() => [{ message: 'later' }])", /policy\.p.* later/],
      ['a thenable', "({ then(done) { done([{ message: 'then' }]); } })", /policy\.p.* then/],
      ['an endless generator', "(function* () { for (;;) yield { message: 'more' }; })()",
        /policies\.result .*more than 10000 problems/],
      ['a key of prototypes', '[JSON.parse(\'{"__proto__":{"message":"no"}}\')]', /policies\.result .*has no message/],
    ] as const;
    await expectSaid(results.map(([it, value, says]) => [it, trying(value), says]));
  });

  // biome-ignore format: a row is a case
  const tampering = [
    ["JSON.stringify = () => '{}';", /policies\.(result|ended) .*unreadable/],
    ["JSON.stringify = () => 'x';", /policies\.ended/],
    ['JSON.stringify = () => \'{"found":[{"policy":"x"}]}\';', /policies\.(result|ended) .*unreadable/],
    ['JSON.stringify = () => \'{"policies":[{"id":"x"}]}\';', /policies\.(result|ended) .*unreadable/],
    ['JSON.stringify = () => ({});', /policies\.(result|ended) .*unreadable/],
    ['Object.prototype.toJSON = () => 1;', /policies\.(result|ended) .*unreadable/],
  ] as const;

  test.each(tampering)('an answer in another form is an error: %s', async (tamper, says) => {
    project.write('policies/a.mjs', telling("'done'", tamper));
    expect(await refused()).toMatch(says);
  });

  test('an answer in another form is an error if the policy changes it while it judges', async () => {
    const [[tamper, says]] = tampering;
    project.write('policies/a.mjs', telling(`(() => { ${tamper} return 'done'; })()`));
    expect(await refused()).toMatch(says);
  });

  test('no policy can report for another one', async () => {
    const speaking = telling("'of mine'").replace(
      "[{ message: 'told ' + ('of mine') }]",
      "[{ message: 'x', policy: 'other' }]",
    );
    project.write('policies/a.mjs', speaking);
    expect(await refused()).toMatch(/policies\.result .*has "policy"/);
  });
});

describe('a policy imports', () => {
  test('TypeScript, JavaScript and JSON of its project', async () => {
    project.write('shared/names.json', '["web", "api"]');
    project.write('shared/count.ts', 'export const count = (names: readonly string[]): number => names.length;\n');
    project.write(
      'policies/lib/text.js',
      "export { default as names } from '../../shared/names.json' with { type: 'json' };\n",
    );
    project.write(
      'policies/a.ts',
      telling(
        'count(names) + names[0]',
        "import { count } from '../shared/count.ts';\nimport { names } from './lib/text.js';",
      ),
    );
    expect(await told()).toBe('2web');
  });

  test('packages that are installed here, above, or linked by a workspace', async () => {
    const name = project.path.split('/').at(-1) ?? '';
    const above = join(project.path, '../node_modules', `above-${name}`);
    const workspace = join(home, `workspace-${name}`);
    for (const folder of [above, workspace]) mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(workspace, 'package.json'),
      '{"name":"@team/linked","type":"module","exports":{"./*":{"types":"./x.d.ts","node":"./none.js","import":"./src/*.js"}}}',
    );
    mkdirSync(join(workspace, 'src'));
    writeFileSync(join(workspace, 'src/one.js'), "export { two as one } from '#two';\n");
    writeFileSync(
      join(workspace, 'package.json'),
      '{"name":"@team/linked","type":"module","imports":{"#two":"./src/two.js"},"exports":{"./*":{"types":"./x.d.ts","node":"./none.js","import":"./src/*.js"}}}',
    );
    writeFileSync(join(workspace, 'src/two.js'), "export const two = 'linked';\n");
    writeFileSync(join(above, 'package.json'), '{"type":"module","exports":"./index.js"}');
    writeFileSync(join(above, 'index.js'), "export const above = 'above';\n");
    linkPackages(project.path, { '@team/linked': workspace });
    project.write(
      'policies/a.mjs',
      telling('[above, one].join()', `import { above } from 'above-${name}';\nimport { one } from '@team/linked/one';`),
    );
    expect(await told()).toBe('above,linked');
  });

  /** As Node does: https://nodejs.org/api/packages.html#conditional-exports */
  test('packages by the first condition that holds, and by the longest pattern', async () => {
    const conditions = { node: './none.js', import: { types: './x.d.ts', default: './main.js' }, default: './none.js' };
    const exports = { '.': conditions, './*': './none/*.js', './lib/*': './src/*.js', './lib/*/one': './none.js' };
    project.write('package.json', '{"imports":{"#shapes":"shapes"}}');
    project.write('node_modules/shapes/package.json', JSON.stringify({ name: 'shapes', type: 'module', exports }));
    project.write('node_modules/shapes/main.js', "export const main = 'main';\n");
    project.write('node_modules/shapes/src/one.js', "export const one = 'one';\n");
    const imports = "import { main } from '#shapes';\nimport { one } from 'shapes/lib/one';";
    project.write('policies/a.mjs', telling('[main, one].join()', imports));
    expect(await told()).toBe('main,one');
  });

  test('CommonJS packages, with their exported names', async () => {
    const at = 'node_modules/ranges';
    project.write(`${at}/package.json`, '{"name":"ranges","version":"1.0.0","main":"lib/main"}');
    project.write(
      `${at}/lib/main.js`,
      "const { one } = require('./one');\nexports.major = (text) => one + text.split('.')[0];\nexports.version = require('../package.json').version;\nexports.class = 'c';\n",
    );
    project.write(`${at}/lib/one.js`, "module.exports = { one: 'v' };\nrequire('./main');\n");
    project.write(
      'policies/b.cjs',
      "const { policy, isKind } = require('gantry/policies');\nmodule.exports = policy({ id: 'common', severity: 'warning', resource: (r) => [{ message: 'common ' + isKind(r, 'gvc') }] });\n",
    );
    project.write(
      'policies/a.mjs',
      telling('[major("2.1"), version, all.class].join()', "import all, { major, version } from 'ranges';"),
    );
    expect(await told()).toBe('v2,1.0.0,c');
    expect((await project.run(['validate', '.'])).stdout).toMatch(/policy\.common .*common true/);
  });

  const builtIn = builtinModules
    .filter((name) => !name.startsWith('_'))
    .flatMap((name) => (name.startsWith('node:') ? [name] : [name, `node:${name}`]));

  test('no module of Node', async () => {
    const attempts = `const names = ${JSON.stringify(builtIn)};
const came = [];
for (const name of names) await import(name).then(() => came.push(name), (error) => { if (!error.message.includes('a module of Node')) came.push(error.message); });
`;
    project.write('policies/a.mjs', telling('came.length + " of " + names.length', attempts));
    expect(await told()).toBe(`0 of ${builtIn.length}`);
  });

  test('nothing of Node, nothing outside of its project, and nothing that is no module', async () => {
    const ofHome = `import home from 'file://${join(home, 'credentials.json')}' with { type: 'json' };`;
    // biome-ignore format: a row is a case
    const imports = [
      ['a module of Node', "import { readFileSync } from 'node:fs';",
        /p0\.ts:2:30 .*policies\.load .*policies\/p0\.ts imports node:fs, a module of Node .*policies\.inputs/],
      ['a database', "import 'node:sqlite';", /policies\.load .*imports node:sqlite, a module of Node/],
      ['a program of this package', "import { openGantry } from 'gantry/automation';",
        /policies\.load .*imports gantry\/automation .*Policies import gantry\/policies/],
      ['an internal module', "import { give } from 'gantry:policies';", /policies\.load .*imports gantry:policies/],
      ['a file next to the project', "import beside from '../../beside.json' with { type: 'json' };",
        /\.ts:2:20 .*policies\.load .*outside of the project/],
      ['a file by its path', ofHome.replace('file://', ''), /policies\.load .*outside of the project/],
      ['a file by its URL', ofHome, /policies\.load .*outside of the project/],
      ['through a link to a folder', "import home from '../link/credentials.json' with { type: 'json' };",
        /policies\.load .*outside of the project/],
      ['through a link to a file', "import home from '../link.json' with { type: 'json' };",
        /policies\.load .*outside of the project/],
      ['text', "import text from '../gantry.yaml';", /policies\.load .*gantry\.yaml, which is no module/],
      ['a missing file', "import { x } from './none.ts';", /\.ts:2:19 .*policies\.load .*there is no such file/],
      ['without the extension', "import { x } from './lib/b';",
        /policies\.load .*Imports name the whole file: \.\/lib\/b\.ts\./],
      ['invalid JSON', "import x from '../broken.json' with { type: 'json' };",
        /policies\.load .*broken\.json is not valid JSON/],
      ['a package that needs Node', "import 'impure';",
        /policies\.load .*policies\/p13\.ts > .*impure\/index\.js > .*\/impure\/deep\.js imports node:net, a module of Node/],
      ['a path that a package does not export', "import 'impure/deep.js';",
        /policies\.load .*impure\/deep\.js, which is not installed/],
      ['a device', "import x from '../device.json' with { type: 'json' };", /policies\.load /],
    ] as const;
    writeFileSync(join(project.path, '../beside.json'), '"canary"');
    symlinkSync(home, join(project.path, 'link'));
    symlinkSync(join(home, 'credentials.json'), join(project.path, 'link.json'));
    symlinkSync('/dev/zero', join(project.path, 'device.json'));
    project.write('broken.json', '{ canary');
    project.write('policies/lib/b.ts', 'export const x = 1;\n');
    project.write('node_modules/impure/package.json', '{"name":"impure","type":"module","exports":"./index.js"}');
    project.write('node_modules/impure/index.js', "import './deep.js';\n");
    project.write('node_modules/impure/deep.js', "import 'node:net';\n");
    const stdout = await expectSaid(imports.map(([it, line, says]) => [it, telling("'done'", line), says]));
    expect(stdout).not.toContain('canary');
  });

  test('no file behind a link in its folder', async () => {
    writeFileSync(join(home, 'elsewhere.ts'), telling("'canary'"));
    mkdirSync(join(project.path, 'policies'));
    symlinkSync(join(home, 'elsewhere.ts'), join(project.path, 'policies/a.ts'));
    expect(await refused()).toMatch(/policies\/a\.ts:1:1 .*policies\.load .*is a link to .*outside of the project/);
  });

  test('modules of a project in a linked folder', async () => {
    project.write('real/gantry.yaml', 'stack: shop\n');
    project.write('real/gvc.yaml', 'kind: gvc\nname: shop\n');
    project.write('real/lib/b.ts', "export const b = 'b';\n");
    project.write('real/policies/a.ts', telling('b', "import { b } from '../lib/b.ts';"));
    symlinkSync('real', join(project.path, 'linked'));
    expect((await project.run(['validate', 'linked'])).stdout).toMatch(/policy\.told .*told b/);
  });
});

describe('inputs of policies', () => {
  const settings = (inputs: string) => `stack: shop\npolicies:\n  inputs: ${inputs}\n`;

  test('are values from JSON and YAML, and texts', async () => {
    project.write('allowed.json', '["one"]');
    project.write('rules.yml', 'most: 2\n');
    project.write('names.txt', 'web\napi\n');
    project.write('gantry.yaml', settings('{ allowed: allowed.json, rules: rules.yml, names: names.txt }'));
    project.write('policies/a.mjs', telling('JSON.stringify(context.inputs)'));
    expect(JSON.parse(await told())).toEqual({ allowed: ['one'], rules: { most: 2 }, names: 'web\napi\n' });
  });

  test('are read-only', async () => {
    project.write('allowed.json', '["one"]');
    project.write('gantry.yaml', settings('{ allowed: allowed.json }'));
    project.write('policies/a.mjs', telling('context.inputs.allowed.push(1)'));
    expect(await refused()).toMatch(/policies\.throws .*The arguments of a policy are read-only/);
  });

  test('are empty for imposed policies', async () => {
    project.write('allowed.json', '["one"]');
    project.write('gantry.yaml', settings('{ allowed: allowed.json }'));
    project.write('company/a.mjs', telling('JSON.stringify(context.inputs)'));
    const { stdout } = await project.run(['validate', '.'], { GANTRY_POLICIES: 'company' });
    expect(stdout).toContain('told {}');
  });

  // biome-ignore format: a row is a case
  test.each([
    ['[a]', [/gantry\.yaml:3:3 .*policies\.settings .*policies\.inputs must be names with paths of files/]],
    ['{ a: 1 }', [/gantry\.yaml:3:.*policies\.settings .*policies\.inputs\.a must be the path of a file/]],
    ['{ a: none.json, b: ../beside.json, c: link.json, d: broken.json, e: large.txt, f: two.yml }', [
      /gantry\.yaml:3:.*policies\.inputs .*none\.json: .*there is no such file/,
      /policies\.inputs .*beside\.json: the file is outside of the project folder/,
      /policies\.inputs .*link\.json: the file is outside of the project folder/,
      /broken\.json:1:.*policies\.inputs /,
      /policies\.inputs .*large\.txt: .*more than 1 MiB/,
      /policies\.inputs .*two\.yml: it holds 2 documents/,
    ]],
  ])('%s are errors', async (inputs, says) => {
    writeFileSync(join(project.path, '../beside.json'), '"canary"');
    symlinkSync(join(home, 'credentials.json'), join(project.path, 'link.json'));
    project.write('broken.json', '{ "canary" }');
    project.write('two.yml', 'a: 1\n---\nb: 2\n');
    project.write('large.txt', 'x'.repeat(2 ** 20 + 1));
    project.write('gantry.yaml', settings(inputs));
    project.write('policies/a.mjs', telling("'done'"));
    const { stdout, code } = await project.run(['validate', '.']);
    expect(code).toBe(1);
    for (const each of says) expect(stdout).toMatch(each);
  });

  test('and the time of a case apply in `gantry policy test`', async () => {
    project.write('days.json', '["Fri"]');
    project.write('gantry.yaml', settings('{ days: days.json }'));
    const code = `import { policy } from 'gantry/policies';
export const calm = policy({ id: 'calm', resource: (_, { inputs }) =>
  (inputs.days as string[]).includes(new Date().toUTCString().slice(0, 3)) ? [{ message: 'not on a Friday' }] : [] });
`;
    project.write('policies/a.ts', code);
    const cases = [
      '{ name: a Friday, now: 2027-01-29T09:00:00Z, manifests: [{ kind: gvc, name: shop }], expect: [{ policy: calm }] }',
      '{ name: a Monday, now: 2027-02-01T09:00:00Z, manifests: [{ kind: gvc, name: shop }], expect: [] }',
    ];
    project.write('policies/a.test.yaml', `cases:\n${cases.map((each) => `  - ${each}\n`).join('')}`);
    expect((await project.run(['policy', 'test'])).stdout).toContain('2 cases: 2 passed');
    project.write('policies/a.test.yaml', 'cases: [{ name: x, now: soon, manifests: [], expect: [] }]\n');
    expect((await project.run(['policy', 'test'])).stderr).toContain('now must be a time, such as');
  });
});
