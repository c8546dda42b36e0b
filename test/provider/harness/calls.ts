import { onTestFinished } from 'vitest';
import { partTypes } from '../../../src/hcl/schema/names.ts';
import { providerBlock } from '../../../src/hcl/schema/providerBlock.ts';
import { domainRouteSchema } from '../../../src/hcl/schema/providerSchema.ts';
import { serviceAccountKey } from '../../../src/hcl/schema/serviceAccountKey.ts';
import { isObjectValue, type ObjectValue } from '../../../src/hcl/value.ts';
import { startPluginServer } from '../../../src/provider/host/pluginServer.ts';
import type { Surroundings } from '../../../src/provider/platform/settings.ts';
import type { Message } from '../../../src/provider/protocol/messages.ts';
import { readObject, writeObject } from '../../../src/provider/protocol/values.ts';
import { makeHandlers } from '../../../src/provider/services/makeHandlers.ts';
import { resourceTypeNamed } from '../../../src/provider/services/types.ts';
import { connectProvider, type ProviderClient } from './providerClient.ts';

/** A diagnostic for Terraform, which prints `error: SUMMARY`, and the text below it. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
}

export interface Planned {
  readonly planned: ObjectValue | undefined;
  readonly own: Uint8Array | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Result {
  readonly state: ObjectValue | undefined;
  /** The private state of the provider. */
  readonly own: Uint8Array | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The calls of Terraform's core to the provider, one by one: also those that `terraform` itself never sends. */
export interface Calls {
  /** Any call, as it is on the wire. */
  readonly call: ProviderClient['call'];
  configure(block: ObjectValue): Promise<readonly Diagnostic[]>;
  validate(type: string, config: ObjectValue): Promise<readonly Diagnostic[]>;
  /** `own`: the provider's private state, from the answer that returned the state. */
  read(type: string, state: ObjectValue, own?: Uint8Array): Promise<Result>;
  /** `config` undefined: a deletion; `prior` undefined: a creation. */
  plan(type: string, config: ObjectValue | undefined, prior?: ObjectValue, own?: Uint8Array): Promise<Planned>;
  apply(type: string, config: ObjectValue | undefined, prior: ObjectValue | undefined, plan: Planned): Promise<Result>;
  /** Plans and applies; throws if either reports an error. */
  run(type: string, config: ObjectValue | undefined, prior?: ObjectValue): Promise<ObjectValue | undefined>;
}

/** Starts a provider in this process, until the test ends. `cwd`: the folder of its configuration. */
export async function startCalls(cwd: string, more: Partial<Surroundings> = {}): Promise<Calls> {
  const provider = makeHandlers({ environment: {}, cwd, sleep: async () => {}, ...more });
  const plugin = await startPluginServer({ handlers: async () => provider.handlers });
  const client = connectProvider(plugin.address);
  onTestFinished(async () => {
    client.close();
    await provider.close();
    await plugin.close();
  });
  const attributesOf = (type: string) =>
    type === partTypes.route
      ? domainRouteSchema().attributes
      : type === partTypes.key
        ? serviceAccountKey.attributes
        : resourceTypeNamed(type).attributes;
  /** Absent attributes are null at every depth, as Terraform sends them. */
  const whole = (type: string, object: ObjectValue | undefined): Message<'DynamicValue'> => {
    const attributes = attributesOf(type);
    return writeObject(readObject(writeObject(object, attributes), attributes), attributes);
  };
  const calls: Calls = {
    call: client.call,
    async configure(block) {
      const config = writeObject(block, providerBlock.attributes);
      return shown((await client.call('ConfigureProvider', { config })).diagnostics);
    },
    async validate(type, config) {
      const request = { type_name: type, config: whole(type, config) };
      const { diagnostics } = await client.call('ValidateResourceConfig', request);
      return shown(diagnostics);
    },
    async read(type, state, own) {
      const request = {
        type_name: type,
        current_state: whole(type, state),
        ...(own === undefined ? {} : { private: own }),
      };
      const { new_state: found, private: kept, diagnostics } = await client.call('ReadResource', request);
      return { state: readObject(found, attributesOf(type)), own: kept, diagnostics: shown(diagnostics) };
    },
    async plan(type, config, prior, own) {
      const { planned_state, planned_private, diagnostics } = await client.call('PlanResourceChange', {
        type_name: type,
        prior_state: whole(type, prior),
        proposed_new_state: whole(type, config),
        config: whole(type, config),
        ...(own === undefined ? {} : { prior_private: own }),
      });
      return {
        planned: readObject(planned_state, attributesOf(type)),
        own: planned_private,
        diagnostics: shown(diagnostics),
      };
    },
    async apply(type, config, prior, { planned, own }) {
      const {
        new_state,
        private: kept,
        diagnostics,
      } = await client.call('ApplyResourceChange', {
        type_name: type,
        prior_state: whole(type, prior),
        planned_state: whole(type, planned),
        config: whole(type, config),
        ...(own === undefined ? {} : { planned_private: own }),
      });
      return { state: readObject(new_state, attributesOf(type)), own: kept, diagnostics: shown(diagnostics) };
    },
    async run(type, config, prior) {
      const plan = await calls.plan(type, config, prior);
      requireNoErrors(plan.diagnostics);
      const { state, diagnostics } = await calls.apply(type, config, prior, plan);
      requireNoErrors(diagnostics);
      return state;
    },
  };
  return calls;
}

function shown(diagnostics: readonly Message<'Diagnostic'>[] = []): readonly Diagnostic[] {
  return diagnostics.map(({ severity, summary = '', detail = '' }) => ({
    severity: severity === 1 ? 'error' : 'warning',
    summary,
    detail,
  }));
}

export function errorsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => summary);
}

function requireNoErrors(diagnostics: readonly Diagnostic[]): void {
  const errors = errorsOf(diagnostics);
  if (errors.length > 0) throw new Error(errors.join('\n'));
}

/** The state of a record that exists. */
export function stateIn({ state, diagnostics }: Result): ObjectValue {
  if (!isObjectValue(state)) throw new Error(`there is no state: ${errorsOf(diagnostics).join('\n')}`);
  return state;
}
