import { isAssumption, rows } from '../../src/capabilities/kept.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { behaviours } from '../../src/kinds/behaviours.ts';
import { permissions } from '../../src/kinds/kindFacts.ts';
import { sheets } from '../../src/kinds/list.ts';
import { rules } from '../../src/kinds/registry.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { flagOf, permitNames, permits } from '../../src/plan/model/permits.ts';
import { type SettingRow, settingsTable } from '../../src/project/settings/settingsTable.ts';
import { errorCodes } from '../../src/schema/facts/errorCodes.ts';
import {
  maxBodyBytes,
  maxBodyDepth,
  maxBodyValues,
  maxListItems,
  maxObjectMembers,
  maxSecretBytes,
} from '../../src/schema/facts/limits.ts';
import {
  creatableKinds,
  isCreatableKind,
  isKnownKind,
  isOfWorkload,
  isOrg,
  kindNamed,
  readOnlyKinds,
} from '../../src/schema/record/kinds.ts';
import type { Rule } from '../../src/schema/rules/rule.ts';
import type { Shape } from '../../src/schema/shape/shape.ts';
import type { Route } from '../../src/server/http/dispatch/route.ts';
import {
  largestPage,
  longestQueryPattern,
  maxSnapshotBytes,
  mostProblems,
  mostQueryPatterns,
  mostQueryTerms,
  mostShortPieces,
  usualPage,
  usualPiece,
} from '../../src/server/http/limits.ts';
import { routes } from '../../src/server/routeTable.ts';
import { fullName, leafCommands } from '../../src/terminal/commandTree.ts';
import { undeclaredTable } from '../../test/guarantees/cells.ts';
import { areas, pureFolders } from '../../test/layering/rooms.ts';
import {
  code,
  commonFieldTable,
  eventTable,
  exitCodeTable,
  fieldTable,
  keyText,
  memberTable,
  proxyTable,
  secretTable,
  sentence,
  starterTable,
  table,
} from './fieldTable.ts';

/** Rules for at least this many kinds are shown once, with the common properties of all records. */
const manyKinds = 4;

const kinds = [...creatableKinds, ...readOnlyKinds].sort();

/** Operations that are the same for every kind: `platform/wire.paths`. */
const usual =
  /\.(list|query|read|create|upsert|replace|edit|delete|permissions|accessReport|events?|export(All|AllInOrg)?\.\w+|command\.\w+)$/;

/** The text between `<!-- generated: NAME -->` and `<!-- /generated -->`, by the first word of the name. */
const makers: Readonly<Record<string, (of: string) => string>> = {
  areas: areaTable,
  assumptions: assumptionTable,
  commands: commandTable,
  'common-fields': commonFieldTable,
  'common-rules': commonRuleTable,
  endpoints: (of) => (of === '' ? serviceRouteTable() : routeTableOf(of)),
  errors: errorTable,
  events: eventTable,
  'exit-codes': exitCodeTable,
  fields: (of) => {
    const kind = of;
    if (!isKnownKind(kind)) throw new Error(`no kind ${of} among ${Object.keys(sheets).join(', ')}`);
    return fieldTable(kind);
  },
  kinds: kindTable,
  limits: limitTable,
  'list-keys': listKeyTable,
  members: memberTable,
  permissions: permissionTable,
  permits: permitTable,
  proxy: proxyTable,
  references: referenceTable,
  rules: ruleTableOf,
  secrets: secretTable,
  settings: settingTable,
  starter: starterTable,
  undeclared: undeclaredTable,
};

/** The document with all of its generated parts renewed. */
export function withBlocks(document: string): string {
  return document.replaceAll(
    /(<!-- generated: ([\w-]+)(?: (\w+))? -->\n)[\s\S]*?<!-- \/generated -->/g,
    (_, begin: string, name: string, of: string | undefined) => {
      const make = makers[name];
      if (make === undefined) throw new Error(`nothing generates "${name}"`);
      return `${begin}\n${make(of ?? '')}\n\n<!-- /generated -->`;
    },
  );
}

/** The assumptions of one group, in the order of the table. `group`: the prefix of their ids. */
function assumptionTable(group: string): string {
  const ids = Object.keys(rows)
    .filter(isAssumption)
    .filter((id) => id.startsWith(`${group}.`));
  return table(
    ['Id', 'Assumed', 'Section', 'Evidence', 'Learnt by', 'Otherwise', 'Test'],
    ids.map((id) => {
      const { assumed, section, evidence, learnt, otherwise, test, eachRun = false, needed = false } = rows[id];
      return [
        code(id),
        assumed,
        section,
        evidence,
        `${learnt.replace('-', ' ')}${eachRun === false ? '' : eachRun === true ? ', each run' : ', each run if it holds'}`,
        `${otherwise}${needed ? ' `gantry doctor` exits with 3.' : ''}`,
        test === undefined ? '' : `[${test.split('/').at(-1)}](../../${test})`,
      ];
    }),
  );
}

function commonRuleTable(): string {
  return ruleTable(
    rules.filter((rule) => rule.kinds.length >= manyKinds),
    [],
  );
}

/** The rules of a kind, and the rest of its file, which no check of a record can express. */
function ruleTableOf(file: string): string {
  const kind = kindNamed(file);
  const own = rules.filter((rule) => rule.kinds.length < manyKinds && kind !== undefined && rule.kinds.includes(kind));
  return ruleTable(
    own,
    behaviours.filter(({ section }) => section.split('.')[0] === file),
  );
}

function ruleTable(checked: readonly Rule[], kept: typeof behaviours): string {
  if (checked.length + kept.length === 0) return 'None beside those of every record.';
  return table(
    ['Rule', 'What it says', 'Checked', 'Severity'],
    [
      ...checked.map((rule) => [code(rule.id), rule.title, placeOf(rule), severityOf(rule)]),
      ...kept.map(({ id, title, whereItIs }) => [code(id), title, `by the ${whereItIs}`, 'behaviour']),
    ],
  );
}

function placeOf({ where, scopes }: Rule): string {
  const place = where === undefined ? 'offline and by the server' : where === 'offline' ? 'offline' : 'by the server';
  const about = scopes.includes('record') ? '' : scopes.includes('related') ? ', with other records' : ', on a change';
  return `${place}${about}`;
}

function severityOf({ severity, lenient, offline }: Rule): string {
  if (lenient !== true) return severity;
  return `error; warning ${offline === undefined ? '' : 'offline, and '}with \`--lenient\``;
}

function errorTable(): string {
  return table(
    ['Code', 'Status', 'Meaning'],
    Object.entries(errorCodes).map(([id, { status, title }]) => [code(id), String(status), title]),
  );
}

/** The bounds of a request; all of them are decisions. */
function limitTable(): string {
  const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  const number = (value: number) => value.toLocaleString('en');
  return table(
    ['What', 'Limit'],
    [
      ['a body', mebibytes(maxBodyBytes)],
      ['the body of a secret', mebibytes(maxSecretBytes)],
      ['the body of `-snapshot`', mebibytes(maxSnapshotBytes)],
      ['chunks of a body', `${number(mostShortPieces)}, and one more for each ${usualPiece} bytes`],
      ['values in a body, objects and lists included', number(maxBodyValues)],
      ['nesting of a body', number(maxBodyDepth)],
      ['items of a list', number(maxListItems)],
      ['members of an object', number(maxObjectMembers)],
      ['records of a page', `${number(usualPage)}, or what \`?limit=\` says, up to ${number(largestPage)}`],
      ['terms of a query', number(mostQueryTerms)],
      ['terms with `=~`', `${number(mostQueryPatterns)}, each up to ${number(longestQueryPattern)} characters`],
      ['problems that a refusal lists', number(mostProblems)],
    ],
  );
}

function permissionTable(): string {
  return table(
    ['Kind', 'Permissions'],
    [...permissions]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, names]) => [code(kind), [...names].sort().join(', ')]),
  );
}

function kindTable(): string {
  return table(
    ['Kind', 'Collection', 'Clients create it', 'Clients delete it'],
    kinds.map((kind) => {
      const list = routes.find(({ id }) => id === `${kind}.list` || id === `${kind}.deployments`);
      const remove = routes.some(({ id }) => id === `${kind}.delete`);
      const path = isOfWorkload(kind) ? routes.find(({ id }) => id === 'workload.deployments')?.path : list?.path;
      return [
        `[${code(kind)}](kinds/${kind}.md)`,
        code(path ?? ''),
        isCreatableKind(kind) ? 'yes' : 'no',
        remove ? 'yes' : 'no',
      ];
    }),
  );
}

function routeTableOf(kind: string): string {
  return routeTable(
    routes.filter(
      (route) => route.kind === kind && (isOrg(kind) ? !/export|command|event/.test(route.id) : !usual.test(route.id)),
    ),
  );
}

/** Operations that belong to no kind. */
function serviceRouteTable(): string {
  return routeTable(routes.filter(({ id, kind }) => kind === undefined && !usual.test(id)));
}

function routeTable(shown: readonly Route[]): string {
  if (shown.length === 0) return 'None beside those that every kind has.';
  return table(
    ['Operation', 'What it does', 'Permission'],
    shown.map(({ method, path, summary, permission, devOnly }) => [
      code(`${method} ${path}`),
      summary,
      devOnly === true ? `${permission}, local only` : permission,
    ]),
  );
}

/** The keys of the items of each list. */
function listKeyTable(): string {
  return table(
    ['List', 'Key', 'Evidence'],
    walked((path, { facts: { list } }) =>
      list?.class === 'keyed'
        ? [[code(path), keyText(list.key), list.key.evidence === 'stated' ? 'clients' : 'ours']]
        : [],
    ),
  );
}

/** Every field that names another record. */
function referenceTable(): string {
  return table(
    ['Field', 'Refers to', 'Strength', 'Missing target'],
    walked((path, { facts: { link } }) =>
      link === undefined ? [] : [[code(path), link.to.join(', '), link.strength, missingTarget(link)]],
    ),
  );
}

function missingTarget({
  strength,
  mayBeMissing,
}: {
  readonly strength: string;
  readonly mayBeMissing?: true;
}): string {
  if (mayBeMissing === true) return 'warning `reference.dangling`';
  return strength === 'none' || strength === 'soft' ? 'accepted' : 'refused';
}

/** The rows of each field of each kind; the proxy's settings appear only at the workload. */
function walked(rowsOf: (path: string, shape: Shape) => readonly (readonly string[])[]) {
  const seen = new Set<string>();
  return kinds
    .flatMap((kind) => below(kind, shapeOf(kind), rowsOf))
    .filter((row) => {
      const [path = ''] = row;
      const key = path.includes('sidecar.proxy') ? path.replace(/^`\w+/, '') : path;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}

function below(
  path: string,
  shape: Shape,
  rowsOf: (path: string, shape: Shape) => readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const own = rowsOf(path, shape);
  switch (shape.type) {
    case 'object':
      return [...own, ...[...shape.fields].flatMap(([name, field]) => below(`${path}.${name}`, field, rowsOf))];
    case 'list':
      return [...own, ...below(`${path}[]`, shape.item, rowsOf)];
    case 'map':
      return [...own, ...below(`${path}.*`, shape.value, rowsOf)];
    default:
      return own;
  }
}

/** The sources of each setting. */
function settingTable(): string {
  return table(
    ['Flag', 'Variable', '`gantry.yaml`', 'Also in', 'Provider block', ''],
    Object.entries(settingsTable).map(([name, row]: readonly [string, SettingRow]) => [
      row.flags === undefined ? '' : code(row.flags.split(' ')[0] ?? ''),
      row.variable === undefined ? '' : code(row.variable),
      row.isKey === true ? code(name) : '',
      [
        ...(row.isOfEnvironments === true ? ['environments'] : []),
        ...(row.isOfProfiles === true ? ['profiles'] : []),
      ].join(', '),
      row.attribute === undefined ? '' : code(row.attribute),
      `${row.about}${row.more ?? ''}${row.usual === undefined ? '' : `; default: ${row.usual}`}`,
    ]),
  );
}

/** Every command, as on its help page. */
function commandTable(): string {
  return table(
    ['Command', 'What it does'],
    leafCommands(makeProgram(async () => {})).map((command) => {
      const words = command.registeredArguments.map((argument) => {
        const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
        return argument.required ? `<${name}>` : `[${name}]`;
      });
      return [code(['gantry', fullName(command), ...words].join(' ')), sentence(command.description())];
    }),
  );
}

/** The permits and limits of a plan, as a table. */
function permitTable(): string {
  return table(
    ['Flag', 'What it does', 'Without it'],
    permitNames.map((name) => {
      const { help, value, default: usual } = permits[name];
      const without = usual === undefined ? 'no limit' : usual === false ? 'refused, or left as it is' : String(usual);
      return [code(value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`), sentence(help), without];
    }),
  );
}

/** The areas of the source, lowest first, with their permitted imports besides indirect ones. */
function areaTable(): string {
  return table(
    ['Area', 'What it is', 'May import (and what these may)', 'Pure'],
    Object.entries(areas).map(([name, { about, isPure }]) => [
      code(short(name)),
      about,
      importsOf(name).map(short).join(' '),
      isPure ? 'yes' : pureFolders.some((folder) => folder.startsWith(`${name}/`)) ? 'in part' : '',
    ]),
  );
}

function importsOf(name: string): readonly string[] {
  const own = areas[name]?.areas ?? [];
  return own.filter((each) => !own.some((other) => other !== each && reached(other).has(each)));
}

function reached(name: string): ReadonlySet<string> {
  const own = areas[name]?.areas ?? [];
  return new Set([...own, ...own.flatMap((each) => [...reached(each)])]);
}

function short(name: string): string {
  return name.replace(/^src\//, '');
}
