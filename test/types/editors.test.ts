import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript-5.9';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesBelow } from '../harness/filesBelow.ts';
import { projectOf } from './compile.ts';
import { type Editor, newEditor, oldEditor } from './editors.ts';

const root = new URL('../..', import.meta.url).pathname;

const programs = ['examples', 'templates']
  .flatMap((folder) => filesBelow(join(root, folder)))
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|node_modules|examples\/cdktn/.test(file))
  .map((file) => [relative(root, file), readFileSync(file, 'utf8')] as const);

/** Programs as they are typed: at each `|`, the editor offers completions. */
const typed = {
  locations: `new Gvc(stack, 'a', { locations: ['|'] });`,
  tags: `new Gvc(stack, 'b', { tags: { '|': true } });`,
  permissions: `new Policy(stack, 'c', { targetKind: 'secret', target: 'all', bindings: [{ permissions: ['|'] }] });`,
  'an added location': `gvc.addLocation('|');`,
  'an added permission': `new Policy(stack, 'e', { targetKind: 'secret' }).addBinding({ permissions: ['|'] });`,
  'an added container': `standard.addContainer({ name: 'side', |image: 'x:1' });`,
  'an added member': `new Group(stack, 'f').add|Member('//user/a@example.com');`,
  'the type of a workload': `new Workload(gvc, 'd', { type: '|' });`,
} as const;
const head = `import { App, Group, Gvc, Policy, Stack, Workload } from 'gantry';
export const stack = new Stack(new App(), 'typed');
export const gvc = new Gvc(stack, 'gvc');
export const standard = new Workload(gvc, 'w', { type: 'standard', containers: [{ name: 'main', image: 'x:1' }] });
void [Group, Policy];
`;

const folder = projectOf(
  new Map([
    ...programs,
    ...Object.entries(typed).map(([name, code]) => [`typed/${name}.ts`, head + code.replace('|', '')] as const),
  ]),
);
const paths = programs.map(([file]) => join(folder, file));
const old = oldEditor(folder, [...paths, ...Object.keys(typed).map((name) => join(folder, 'typed', `${name}.ts`))]);
let editors: Readonly<Record<'5.9' | '7', Editor>>;
beforeAll(async () => {
  editors = { '5.9': old, 7: await newEditor(folder) };
});
afterAll(async () => {
  await Promise.all(Object.values(editors).map((each) => each.close()));
  rmSync(folder, { recursive: true, force: true });
});

interface Place {
  readonly file: string;
  readonly offset: number;
  readonly name: string;
}

/** Every property of an object literal that Gantry declares, without variables and options of an example's own. */
function properties(): readonly Place[] {
  const checker = old.program.getTypeChecker();
  const found: Place[] = [];
  for (const file of paths) {
    const source = old.program.getSourceFile(file);
    const visit = (node: ts.Node): void => {
      if (
        (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) &&
        ts.isObjectLiteralExpression(node.parent)
      ) {
        const name = node.name.getText();
        const type = checker.getContextualType(node.parent);
        const forms = type?.isUnion() === true ? type.types : [type];
        const declared = forms.flatMap((form) => form?.getProperty(name)?.declarations ?? []);
        if (declared.some((each) => each.getSourceFile().fileName.startsWith(join(root, 'dist/types')))) {
          found.push({ file, offset: node.name.getStart(), name });
        }
      }
      ts.forEachChild(node, visit);
    };
    if (source !== undefined) visit(source);
  }
  return found;
}

describe.each(['5.9', '7'] as const)('in an editor with TypeScript %s', (version) => {
  test('at least 95 % of the properties in the examples have documentation', async () => {
    const places = properties();
    expect(places.length).toBeGreaterThan(300);
    const without: string[] = [];
    for (const { file, offset, name } of places) {
      if ((await editors[version].documentation(file, offset)) === '')
        without.push(`${relative(folder, file)}: ${name}`);
    }
    expect(1 - without.length / places.length, without.join('\n')).toBeGreaterThanOrEqual(0.95);
  });

  test.each([
    { in: 'locations', offers: ['aws-eu-central-1', 'gcp-europe-west4'] },
    { in: 'tags', offers: ['scheme/protected'] },
    { in: 'permissions', offers: ['reveal', 'use', 'view'] },
    { in: 'an added location', offers: ['aws-eu-central-1', 'gcp-europe-west4'] },
    { in: 'an added permission', offers: ['reveal', 'use', 'view'] },
    { in: 'an added container', offers: ['cpu', 'livenessProbe'] },
    { in: 'the type of a workload', offers: ['cron', 'serverless', 'stateful'] },
  ] as const)('completions are offered: $in', async ({ in: name, offers }) => {
    const offset = head.length + typed[name].indexOf('|');
    const file = join(folder, 'typed', `${name}.ts`);
    expect(await editors[version].completions(file, offset)).toEqual(expect.arrayContaining([...offers]));
  });

  test.each([
    { of: 'an added container', says: 'Image to run' },
    { of: 'an added member', says: 'Adds one to `memberLinks`. Users, by id or e-mail address, and service accounts.' },
  ] as const)('$of shows its documentation', async ({ of, says }) => {
    const offset = head.length + typed[of].indexOf('|');
    expect(await editors[version].documentation(join(folder, 'typed', `${of}.ts`), offset)).toContain(says);
  });
});
