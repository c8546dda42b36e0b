import type { Attribute, Attributes, NestedAttribute, ProviderSchema } from '../../../src/hcl/attribute.ts';
import { attributeOf, type ObjectValue } from '../../../src/hcl/value.ts';
import { startPluginServer } from '../../../src/provider/host/pluginServer.ts';
import type { Handlers } from '../../../src/provider/protocol/messages.ts';
import { schemaResponse } from '../../../src/provider/protocol/schemaMessages.ts';
import { readJson, readObject, writeObject } from '../../../src/provider/protocol/values.ts';
import { makeHandlers } from '../../../src/provider/services/makeHandlers.ts';

const description = '';
const text: Attribute = { type: 'string', optional: true, description };
const required: Attribute = { type: 'string', required: true, description };
const number: Attribute = { type: 'number', optional: true, description };
const flag: Attribute = { type: 'bool', optional: true, description };
const texts: Attribute = { type: ['list', 'string'], optional: true, description };
const map: Attribute = { type: ['map', 'string'], optional: true, description };
const blocks = (attributes: Attributes): NestedAttribute => ({
  nesting: 'list',
  isBlock: true,
  optional: true,
  description,
  attributes,
});
const variable = blocks({ name: required, value: text });
const port = blocks({ number, protocol: text });
const common = { name: required, labels: map };
const inSpace = { ...common, space: required, self_link: { type: 'string', computed: true, description } } as const;

/** An invented provider of the platform: flat resources, blocks for lists and for maps, its own names. */
const resources: Readonly<Record<string, Attributes>> = {
  acme_space: { ...common, locations: texts, domain_format: text, variable },
  acme_service_account: common,
  acme_group: { ...common, members: texts },
  acme_identity: inSpace,
  acme_secret: { ...common, type: required, opaque: blocks({ payload: required, encoding: text }) },
  acme_policy: {
    ...common,
    target_kind: required,
    target_links: texts,
    binding: blocks({ permissions: texts, principal_links: texts }),
  },
  acme_volume_set: { ...inSpace, initial_capacity: number, performance_class: text, file_system_type: text },
  acme_app: {
    ...inSpace,
    type: required,
    identity: text,
    container: blocks({
      name: required,
      image: text,
      cpu: text,
      memory: text,
      args: texts,
      port,
      listeners: { nesting: 'list', optional: true, description, attributes: { number, protocol: text } },
      variable,
      volume: blocks({ uri: text, path: text }),
    }),
    options: blocks({
      timeout_seconds: number,
      capacity_ai: flag,
      autoscaling: blocks({ metric: text, target: number, max_scale: number, min_scale: number }),
    }),
    firewall: blocks({ external: blocks({ inbound_allow_cidr: texts }) }),
  },
};

const schema: ProviderSchema = {
  provider: { version: 0, description, attributes: { api_url: text, org_name: text, debug: flag } },
  resources: Object.fromEntries(
    Object.entries(resources).map(([type, attributes]) => [type, { version: 0, description, attributes }]),
  ),
  dataSources: {},
  ephemeral: {},
  functions: {},
};

export const inventedSource = 'acme.example/acme/acme';

/** Keeps the configuration as the state, without any platform. */
export function startInvented() {
  const attributesOf = (type = '') => resources[type] ?? {};
  const planned = (type: string | undefined, config: ObjectValue): ObjectValue =>
    Object.hasOwn(attributesOf(type), 'self_link')
      ? { ...config, self_link: `//identity/${String(attributeOf(config, 'name'))}` }
      : config;
  const nothing = async () => ({});
  const { handlers: others } = makeHandlers({ environment: {}, cwd: '/' });
  const handlers: Handlers = {
    ...others, // what Terraform does not call here
    GetProviderSchema: async () => schemaResponse(schema),
    ValidateProviderConfig: nothing,
    ConfigureProvider: nothing,
    ValidateResourceConfig: nothing,
    StopProvider: nothing,
    UpgradeResourceState: async ({ type_name: type, raw_state: raw }) => {
      const attributes = attributesOf(type);
      return { upgraded_state: writeObject(readJson(raw?.json ?? new Uint8Array(), attributes), attributes) };
    },
    ReadResource: async ({ current_state: state }) => (state === undefined ? {} : { new_state: state }),
    PlanResourceChange: async ({ type_name: type, config, proposed_new_state: proposed }) => {
      const attributes = attributesOf(type);
      const wanted = readObject(config, attributes);
      if (wanted === undefined || readObject(proposed, attributes) === undefined)
        return { planned_state: writeObject(undefined, attributes) };
      return { planned_state: writeObject(planned(type, wanted), attributes) };
    },
    ApplyResourceChange: async ({ planned_state: state }) => (state === undefined ? {} : { new_state: state }),
  };
  return startPluginServer({ handlers: async () => handlers });
}
