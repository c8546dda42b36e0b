import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject } from '../../src/base/json/json.ts';
import { present } from '../../src/base/json/present.ts';
import { configurationOf } from '../../src/hcl/configuration/configuration.ts';
import { nativeSyntax } from '../../src/hcl/configurationText.ts';
import type { Block, Expression } from '../../src/hcl/expression.ts';
import { listType, type PartTypeName, resourceType } from '../../src/hcl/schema/names.ts';
import { isQueried } from '../../src/hcl/schema/providerSchema.ts';
import { exampleOf } from '../../src/kinds/allTypes.ts';
import { sheets } from '../../src/kinds/list.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';
import {
  type CreatableKind,
  isGvcScoped,
  isOfWorkload,
  isOrg,
  type KnownKind,
  type WrittenKind,
} from '../../src/schema/record/kinds.ts';

const snippets = join(import.meta.dirname, '../../templates/snippets/yaml');
const gvc = 'shop';

/** The org exists already, so its example begins with an import. */
const orgExample = {
  text: `import {
  to = gantry_org.main
  id = "acme"
}

resource "gantry_org" "main" {
  name = "acme"
  spec {
    session_timeout_seconds = 3600
    observability {
      logs_retention_days  = 90
      default_alert_emails = ["ops@example.com"]
    }
  }
}
`,
  importId: 'acme',
};

/** A resource as `gantry add KIND` declares one, and its import address. */
export function resourceExample(kind: WrittenKind): { readonly text: string; readonly importId: string } {
  if (isOrg(kind)) return orgExample;
  const { name, ...record } = snippetOf(kind);
  const { gvc: of, kind: _kind, ...fields } = record;
  const ref = { kind, name: String(name), ...(typeof of === 'string' ? { gvc: of } : {}) };
  const { blocks } = configurationOf([{ ref, record: fields }], { org: 'acme', imports: false, hideSensitive: true });
  return { text: nativeSyntax(blocks), importId: isGvcScoped(kind) ? `${gvc}/${ref.name}` : ref.name };
}

function snippetOf(kind: CreatableKind): JsonObject {
  const file = join(snippets, `${kind}.yaml`);
  if (!existsSync(file))
    return { kind, ...(isGvcScoped(kind) ? { gvc } : {}), ...exampleOf(kind), name: sheets[kind].exampleName };
  const text = readFileSync(file, 'utf8').replaceAll('sample-gvc', gvc).replaceAll('sample', sheets[kind].exampleName);
  const value = parseManifestText({ text, file: `${kind}.yaml`, format: 'yaml' }).documents[0]?.value;
  if (!isObject(value)) throw new Error(`the snippet of ${kind} is no manifest`);
  return value;
}

/** A data source that reads one record. */
export function dataExample(kind: KnownKind): string {
  const name = sheets[kind].exampleName;
  return nativeSyntax([data(resourceType(kind), label(name), [['name', name], ...parents(kind)])]);
}

/** A data source that lists records: those with a tag, if there is a query. */
export function listExample(kind: KnownKind): string {
  if (!isQueried(kind)) return nativeSyntax([data(listType(kind), 'all', parents(kind))]);
  const terms: Block = {
    type: 'terms',
    attributes: [
      ['tag', 'team'],
      ['value', 'shop'],
    ],
  };
  const block = data(listType(kind), 'of_a_team', parents(kind));
  return nativeSyntax([{ ...block, blocks: [{ type: 'query', blocks: [terms] }] }]);
}

function parents(kind: KnownKind): readonly (readonly [string, Expression])[] {
  if (isOfWorkload(kind)) {
    return [
      ['gvc', gvc],
      ['workload', 'web'],
    ];
  }
  return isGvcScoped(kind) ? [['gvc', gvc]] : [];
}

function data(type: string, name: string, attributes: Block['attributes']): Block {
  return { type: 'data', labels: [type, name], ...present({ attributes }) };
}

function label(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_');
}

/** A resource that is a part of a record, and the form of its import id. */
interface PartExample {
  readonly text: string;
  readonly importForm: string;
  readonly importId: string;
}

export const partExamples: { readonly [T in PartTypeName]: PartExample } = {
  gantry_service_account_key: {
    text: `resource "gantry_service_account_key" "release" {
  serviceaccount = gantry_serviceaccount.pipeline.name
  description    = "The release pipeline"
  lifecycle {
    create_before_destroy = true
  }
}

output "release_key" {
  value     = gantry_service_account_key.release.key
  sensitive = true
}
`,
    importForm: 'ACCOUNT/NAME',
    importId: 'pipeline/pipeline-1',
  },
  gantry_domain_route: {
    text: `resource "gantry_domain_route" "api" {
  domain        = "shop.example.com"
  prefix        = "/api"
  workload_link = provider::gantry::link("workload", "api", "shop")
  port          = 8080
}
`,
    importForm: 'DOMAIN:PORT:PATH',
    importId: 'shop.example.com:443:/api',
  },
};

export function partExample(type: PartTypeName): PartExample {
  return partExamples[type];
}

/** An ephemeral resource, and a use of its value without storing it. */
export const ephemeralExamples: Readonly<Record<string, string>> = {
  gantry_secret: `ephemeral "gantry_secret" "db" {
  name = "database"
}

resource "gantry_secret" "copy" {
  name = "database-copy"
  type = "userpass"
  data_wo {
    userpass {
      username = ephemeral.gantry_secret.db.data.userpass.username
      password = ephemeral.gantry_secret.db.data.userpass.password
    }
  }
  data_wo_version = 1
}
`,
  gantry_service_account_key: `ephemeral "gantry_service_account_key" "deploy" {
  serviceaccount = "pipeline"
}

provider "gantry" {
  alias = "deploy"
  org   = "acme"
  token = ephemeral.gantry_service_account_key.deploy.key
}
`,
};

export function ephemeralExample(type: string): string {
  return textOf(ephemeralExamples, type);
}

export const functionExamples: Readonly<Record<string, string>> = {
  link: `output "locations" {
  value = [for name in ["aws-eu-central-1", "aws-us-west-2"] : provider::gantry::link("location", name)]
}

output "web" {
  value = provider::gantry::link("workload", "web", "shop") # //gvc/shop/workload/web
}
`,
  parse_link: `output "name" {
  value = provider::gantry::parse_link("//gvc/shop/workload/web").name # web
}
`,
  quantity: `output "total" {
  value = sum([for cpu in ["500m", "0.25"] : provider::gantry::quantity(cpu)]) # 0.75
}
`,
};

export function functionExample(name: string): string {
  return textOf(functionExamples, name);
}

function textOf(examples: Readonly<Record<string, string>>, name: string): string {
  const text = examples[name];
  if (text === undefined) throw new Error(`there is no example of ${name}`);
  return text;
}
