import { isObject, type JsonObject, mapMembers, own } from '../../base/json/json.ts';
import { nonEmpty, present } from '../../base/json/present.ts';
import { eachConfiguration } from '../../hcl/configuration/configuration.ts';
import { nativeSyntax } from '../../hcl/configurationText.ts';
import { aKind, wordsOf } from '../../kinds/kindWords.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { isGvcScoped, type Kind } from '../../schema/record/kinds.ts';
import { type Ref, refTo } from '../../schema/record/ref.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { permittedRow } from '../access/permissions.ts';
import { redacted } from '../audit/decisions/auditEvent.ts';
import { requireParent } from '../core/rows.ts';
import { type Call, readIn } from '../core/session.ts';
import { inPieces, Slices } from '../core/slices.ts';
import {
  callRef,
  collectionTemplate,
  itemTemplate,
  orgTemplate,
  type Route,
  servedKinds,
} from '../http/dispatch/route.ts';
import { type ApiReply, reply } from '../http/message.ts';
import { allOf, type Scan, scan } from '../query/pages/recordScan.ts';
import type { Row } from '../store/model/row.ts';
import { customResourcePath, terraformPath } from './openapi/discovery.ts';

/** An export format. */
interface Exporter {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly answer: Route['answer'];
  readonly exportOne: (record: Exported) => ApiReply;
  /** Returns a function that makes the text of each record of a collection in turn. */
  readonly textMaker: (org: string) => (record: Exported) => string;
  /** The texts before, between and after the records. */
  readonly around: readonly [string, string, string];
  readonly headers?: Readonly<Record<string, string>>;
}

const asText = { 'content-type': 'text/plain; charset=utf-8' };

const exporters: readonly Exporter[] = [
  {
    id: 'terraform',
    path: terraformPath,
    summary: 'as Terraform configuration',
    answer: 'text',
    exportOne: (record) => ({ status: 200, body: terraformOf(record.org)(record), headers: asText }),
    textMaker: terraformOf,
    around: ['', '\n', ''],
    headers: asText,
  },
  {
    id: 'crd',
    path: customResourcePath,
    summary: 'as custom resources of a cluster',
    answer: { type: 'object' },
    exportOne: (record) => reply(200, customResource(record)),
    textMaker: () => (record) => JSON.stringify(customResource(record)),
    around: ['{"kind":"list","items":[', ',', ']}'],
  },
];

/** The API version of the custom resources; `scheme` is the neutral name in the specification. */
const customResourceVersion = 'scheme/v1';

/** Members of a record that become siblings of `spec` in a custom resource, or part of its metadata. */
const envelope: ReadonlySet<string> = new Set(['name', 'description', 'tags', 'gvc', 'spec']);

/**
 * The exporters of the outputs `tf` and `crd`. Each has a path, which a self link follows (platform/wire.discovery,
 * platform/clients.output).
 */
export const exporterRoutes: readonly Route[] = exporters.flatMap((exporter) => [
  ...servedKinds.flatMap((kind) => routesOf(exporter, kind)),
  itemRoute(exporter, 'org', '/org/{org}', ({ platform }) => ({ kind: 'org', name: platform.org })),
]);

function routesOf(exporter: Exporter, kind: Kind): readonly Route[] {
  const inOrg = isGvcScoped(kind) ? [collectionRoute(exporter, kind, orgTemplate(kind), 'InOrg')] : [];
  return [
    itemRoute(exporter, kind, itemTemplate(kind), (call) => callRef(call, kind)),
    collectionRoute(exporter, kind, collectionTemplate(kind), ''),
    ...inOrg,
  ];
}

function itemRoute(exporter: Exporter, kind: Kind, path: string, refOf: (call: Call) => Ref): Route {
  return {
    id: `${kind}.export.${exporter.id}`,
    method: 'GET',
    path: `${exporter.path}${path}`,
    summary: `Export ${aKind(kind)} ${exporter.summary}`,
    kind,
    permission: 'view',
    answer: exporter.answer,
    async handle(call) {
      const record = await readIn(call, (session) => {
        const row = permittedRow(session, 'view', refOf(call));
        return exportedRow(session, row);
      });
      return exporter.exportOne(record);
    },
  };
}

function collectionRoute(exporter: Exporter, kind: Kind, path: string, suffix: string): Route {
  const { plural } = wordsOf(kind);
  const records = path.includes('{gvc}') ? `the ${plural} of a GVC` : `all ${plural}`;
  return {
    id: `${kind}.exportAll${suffix}.${exporter.id}`,
    method: 'GET',
    path: `${exporter.path}${path}`,
    summary: `Export ${records} ${exporter.summary}`,
    kind,
    permission: 'view',
    answer: exporter.answer,
    async handle(call) {
      const { gvc } = call.params;
      await readIn(call, (session) => requireParent(session.tx, gvc));
      const { headers } = exporter;
      const pieces = Slices.piecewise(call, (slices) =>
        inPieces(exportedTexts(call, slices, exporter, allOf(kind, gvc))),
      );
      return { status: 200, body: '', pieces, ...present({ headers }) };
    },
  };
}

async function* exportedTexts(
  call: Call,
  slices: Slices,
  { textMaker, around: [before, between, behind] }: Exporter,
  asked: Scan,
): AsyncGenerator<string, void> {
  const textOf = textMaker(call.platform.org);
  yield before;
  let separator = '';
  for await (const { row } of scan(call, slices, asked)) {
    await slices.rest();
    yield separator + textOf(exportedRow(call, row));
    separator = between;
  }
  yield behind;
}

function exportedRow({ platform }: Pick<Call, 'platform'>, row: Row): Exported {
  const { kind, name, gvc } = row;
  const record: JsonObject = row.record;
  return { kind, name, org: platform.org, record, ...nonEmpty({ gvc }) };
}

/**
 * Converts records to configuration of Gantry's provider (output `tf`, platform/clients.output). The function takes one
 * record at a time and remembers the labels. Creatable kinds become a resource with an import block, others a data
 * source. Platform-owned and sensitive fields are omitted, which leaves them unchanged.
 */
export function terraformOf(org: string): (record: Exported) => string {
  const blocksOf = eachConfiguration({ org, imports: true, hideSensitive: true });
  return ({ kind, name, gvc, record }) => {
    const live = redacted(kind, record);
    return nativeSyntax(blocksOf({ ref: refTo(kind, name, gvc), record: live, live }));
  };
}

/**
 * A record as a custom resource of a cluster (output `crd`, platform/clients.output). `spec` contains the top-level
 * fields of kinds that have such. Platform-owned and sensitive fields are omitted.
 */
export function customResource({ kind, name, gvc, org, record }: Exported): JsonObject {
  const shape = shapeOf(kind, record);
  const owned = redacted(kind, record);
  const description = own(owned, 'description');
  const tags = own(owned, 'tags');
  const spec = own(owned, 'spec');
  return {
    apiVersion: customResourceVersion,
    kind,
    metadata: { name: metadataName(name) },
    org,
    ...present({ gvc, description, tags }),
    spec: { ...topLevel(owned, shape), ...(isObject(spec) ? spec : {}) },
  };
}

function topLevel(record: JsonObject, shape: ObjectShape): JsonObject {
  return mapMembers(record, (value, name) =>
    envelope.has(name) || shape.fields.get(name)?.facts.responseOnly === true ? undefined : value,
  );
}

/** Names in a cluster contain only letters, digits, `-` and `.`, but users are named by e-mail addresses. */
function metadataName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-');
}

/** A record to export: the client's part, never the values of a secret. */
export interface Exported {
  readonly kind: Kind;
  readonly name: string;
  /** Only for GVC-scoped kinds. */
  readonly gvc?: string;
  readonly org: string;
  readonly record: JsonObject;
}
