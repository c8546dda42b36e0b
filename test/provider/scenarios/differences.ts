/** How Terraform differs from `gantry` in a step of a scenario, and why. */
export type Difference = { readonly why: string } & (
  | /** It cannot be said in a configuration; neither platform gets it. */ { readonly leftOut: true }
  | /** It takes an apply of something else before. */ { readonly first: (manifests: string) => string }
  | /** The configuration has to say more than the manifest. */ { readonly edit: (configuration: string) => string }
  | /** The records differ in what this turns into the same. */ { readonly same: (record: string) => string }
  | /** Nothing knows it before the apply, where the platform refuses it. */ { readonly refusedByPlatform: RegExp }
);

/** By the number of the scenario, and the beginning of the name of the step. */
// biome-ignore format: one case a line
const table: readonly (readonly [scenario: number, step: string, Difference])[] = [
  [
    2,
    'creates it in two steps',
    {
      why: 'a GVC that names an identity inside it is a cycle, which Terraform refuses: it takes two applies',
      first: (manifests) => manifests.replace('    identityLink: //identity/scaler\n', ''),
    },
  ],
  [
    2,
    'destroys it',
    {
      why: 'Terraform deletes the identity before the GVC that names it: it takes an apply without the name',
      first: (manifests) => manifests.replace('    identityLink: //identity/scaler\n', ''),
    },
  ],
  [3, 'a location that does not exist',
   { why: "Terraform plans a resource without the platform's other resources", refusedByPlatform: /nowhere-else/ }],
  [10, 'a destroy with another number of volume sets',
   { why: 'allow_data_loss belongs to a resource, and is not a number', leftOut: true }],
  [12, 'a change of the class without', { why: 'the volume set has no volume yet, so no data is lost', leftOut: true }],
  [21, 'leaves the route that is the part',
   { why: 'Terraform owns a resource as a whole: lifecycle.part has no counterpart', leftOut: true }],
  [23, 'a member that does not exist',
   { why: 'Terraform plans a resource without the others, and deletes undeclared ones immediately', leftOut: true }],
  [
    25,
    'replaces a volume set',
    { why: 'Terraform replaces only changed resources: another one releases it only with replace_triggered_by',
      edit: (configuration) =>
        configuration.replace(
          'resource "gantry_workload" "whole_store" {\n',
          'resource "gantry_workload" "whole_store" {\n  lifecycle {\n    replace_triggered_by = [gantry_volumeset.whole_rows]\n  }\n',
        ),
    },
  ],
  [25, 'a rename of the GVC, which deletes',
   { why: 'Terraform cannot rename: it creates another resource', leftOut: true }],
  [
    25,
    'renames the GVC with the flag',
    { why: 'another name is a new resource, without the tags of others on the old one',
      same: (record) => record.replace(/"tags": \{\s*"other\/release": "7"\s*\}/, '"tags": {}'),
    },
  ],
  [
    25,
    'destroys everything except the audit context',
    { why: 'gantry removes its tag from a forgotten record; Terraform has its state elsewhere',
      same: (record) => record.replace(/"version": \d+/, '"version": 0'),
    },
  ],
];

/** Facts that an import cannot read, so it plans an update, which writes nothing; or an edit that prevents that. */
export interface ImportDifference {
  readonly why: string;
  /** @default 0 */
  readonly changed?: number;
  readonly edit?: (configuration: string) => string;
}

const asLive =
  'lists are live in another order or form than declared, and Terraform compares those of objects by position, those of texts as a whole';

const defaults = 'an object with nothing but defaults means the same as none, and is taken for none';

const imports: Readonly<Record<number, ImportDifference>> = {
  7: {
    why: 'all tags are imported, also those of other clients, because their owners are unknown',
    edit: (configuration) =>
      configuration.replace(
        'resource "gantry_workload" "edge_full" {\n',
        'resource "gantry_workload" "edge_full" {\n  lifecycle {\n    ignore_changes = [tags["other/tool"]]\n  }\n',
      ),
  },
  10: { why: defaults, changed: 1 },
  11: { why: defaults, changed: 1 },
  19: { why: asLive, changed: 1 },
  20: { why: asLive, changed: 1 },
  25: { why: asLive, changed: 1 },
};

export function importDifferenceOf(scenario: number): ImportDifference | undefined {
  return imports[scenario];
}

export function differenceOf(scenario: number, step: string): Difference | undefined {
  return table.find(([number, start]) => number === scenario && step.startsWith(start))?.[2];
}

/** The provider's message for each code with which `gantry` refuses. */
export const refusals: Readonly<Record<string, RegExp>> = {
  'delete.protected': /is protected/,
  'delete.bystander': /is protected/, // the one that is left in the scenario is protected as well
  'delete.data': /The data of .* would be lost/,
  'replace.data': /The data of .* would be lost/,
};
