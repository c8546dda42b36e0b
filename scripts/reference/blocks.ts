import { isAssumption, rows } from '../../src/capabilities/kept.ts';
import { sheets } from '../../src/kinds/list.ts';

import { isKnownKind } from '../../src/schema/record/kinds.ts';
import { undeclaredTable } from '../../test/guarantees/cells.ts';
import { code, commonFieldTable, fieldTable, proxyTable, secretTable, table } from './fieldTable.ts';
import { eventTable, memberTable, starterTable } from './memberTables.ts';
import {
  commandTable,
  commonRuleTable,
  errorTable,
  kindTable,
  limitTable,
  listKeyTable,
  permissionTable,
  permitTable,
  referenceTable,
  routeTableOf,
  ruleTableOf,
  serviceRouteTable,
  settingTable,
} from './otherTables.ts';

/** The text between `<!-- generated: NAME -->` and `<!-- /generated -->`, by the first word of the name. */
const makers: Readonly<Record<string, (of: string) => string>> = {
  assumptions: assumptionTable,
  commands: commandTable,
  'common-fields': commonFieldTable,
  'common-rules': commonRuleTable,
  endpoints: (of) => (of === '' ? serviceRouteTable() : routeTableOf(of)),
  errors: errorTable,
  events: eventTable,
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

/** The document with all of its generated parts made anew. */
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

/** The assumptions of one group, in the order of the table. `group`: how their ids begin. */
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
