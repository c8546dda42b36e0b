import { isObject, type JsonObject, objectAt, own } from '../../../base/json/json.ts';

/** The versions that a new project installs: those that Gantry itself is tested with, which a test compares. */
export const versions = {
  constructs: '10.8.1',
  node: '24.21.0',
  typescript: '7.0.2',
  '@types/node': '24.19.2',
} as const;

export interface ProjectPackage {
  readonly name: string;
  /** What `npm install` takes Gantry from: a version, or `file:` and a path. */
  readonly gantry: string;
  readonly language: 'typescript' | 'yaml';
  /** There are files that Node would read as CommonJS by now. */
  readonly hasCode: boolean;
  /** The folders that hold a stack each. */
  readonly stacks: readonly string[];
}

/**
 * The `package.json` of a project. What `existing` says already stays as it is; only what is missing is added. What
 * `npm init` writes without being asked does not count: its failing test, and `"type": "commonjs"` without any code.
 * Undefined: the files of the project are CommonJS, which those of a stack are not.
 */
export function packageJson(existing: JsonObject, project: ProjectPackage): JsonObject | undefined {
  const type = own(existing, 'type');
  const { name, language, hasCode } = project;
  const needsModules = language === 'typescript' && type !== 'module';
  if (needsModules && type !== undefined && hasCode) return undefined;
  const members = ['dependencies', 'devDependencies', 'peerDependencies'].map((key) => objectAt(existing, key) ?? {});
  const missing = (wanted: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(wanted).filter(([each]) => !members.some((member) => Object.hasOwn(member, each))),
    );
  return {
    name,
    private: true,
    ...existing,
    ...(needsModules ? { type: 'module' } : {}),
    scripts: { ...scriptsOf(project), ...withoutNpmDefault(objectAt(existing, 'scripts')) },
    ...added('dependencies', existing, missing(dependenciesOf(project))),
    ...added('devDependencies', existing, missing(toolsOf(project))),
  };
}

function scriptsOf({ language, stacks }: ProjectPackage): JsonObject {
  const validate = stacks.map((folder) => `gantry validate ${folder}`).join(' && ');
  const [first = '.'] = stacks;
  return {
    test: language === 'typescript' ? `node --test && ${validate}` : validate,
    ...(language === 'typescript' ? { types: 'tsc' } : {}),
    plan: `gantry plan ${first}`,
    apply: `gantry apply ${first}`,
  };
}

/** `npm init` writes a test that fails. */
function withoutNpmDefault(scripts: JsonObject = {}): JsonObject {
  const { test, ...others } = scripts;
  const isDefault = typeof test === 'string' && test.includes('no test specified');
  return isDefault || test === undefined ? others : scripts;
}

function dependenciesOf({ gantry, language }: ProjectPackage): JsonObject {
  return language === 'typescript' ? { constructs: versions.constructs, gantry } : { gantry };
}

/** Node comes along, so that the project runs on a machine that has an older one. */
function toolsOf({ language }: ProjectPackage): JsonObject {
  const { node, typescript } = versions;
  return language === 'typescript' ? { '@types/node': versions['@types/node'], node, typescript } : { node };
}

function added(key: string, existing: JsonObject, missing: JsonObject): JsonObject {
  const before = own(existing, key);
  if (Object.keys(missing).length === 0) return {};
  const all = { ...(isObject(before) ? before : {}), ...missing };
  return { [key]: Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))) };
}
