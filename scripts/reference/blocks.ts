import { definitions } from '../../src/schema/fields/definitions.ts';
import { isKnownKind } from '../../src/schema/record/kinds.ts';
import { undeclaredTable } from '../../test/guarantees/cells.ts';
import { assumptionTable } from './assumptionTable.ts';
import { commonFieldTable, fieldTable, proxyTable, secretTable } from './fieldTable.ts';
import {
  commonRuleTable,
  errorTable,
  kindTable,
  limitTable,
  listKeyTable,
  permissionTable,
  referenceTable,
  routeTableOf,
  ruleTableOf,
  serviceRouteTable,
  settingTable,
} from './otherTables.ts';

/** What stands between `<!-- generated: NAME -->` and `<!-- /generated -->`, by the first word of the name. */
const makers: Readonly<Record<string, (of: string) => string>> = {
  assumptions: assumptionTable,
  'common-fields': commonFieldTable,
  'common-rules': commonRuleTable,
  endpoints: (of) => (of === '' ? serviceRouteTable() : routeTableOf(of)),
  errors: errorTable,
  fields: (of) => {
    const kind = of;
    if (!isKnownKind(kind)) throw new Error(`no kind ${of} among ${Object.keys(definitions).join(', ')}`);
    return fieldTable(kind);
  },
  kinds: kindTable,
  limits: limitTable,
  'list-keys': listKeyTable,
  permissions: permissionTable,
  proxy: proxyTable,
  references: referenceTable,
  rules: ruleTableOf,
  secrets: secretTable,
  settings: settingTable,
  undeclared: undeclaredTable,
};

/** The document with all of its generated parts made anew. */
export function withBlocks(document: string): string {
  return document.replaceAll(
    /(<!-- generated: ([\w-]+)(?: (\w+))? -->\n)[\s\S]*?(<!-- \/generated -->)/g,
    (_, begin: string, name: string, of: string | undefined, end: string) => {
      const make = makers[name];
      if (make === undefined) throw new Error(`nothing generates "${name}"`);
      return `${begin}\n${make(of ?? '')}\n\n${end}`;
    },
  );
}
