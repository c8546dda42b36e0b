import type { Server } from '@grpc/grpc-js';
import { diagnosticMessage, diagnosticOf } from '../protocol/diagnostics.ts';
import type { Encoded } from '../protocol/encoded.ts';
import { type Handlers, type Message, type RequestOf, type ResponseOf, type Rpc, rpcs } from '../protocol/messages.ts';
import { addUnary } from './unary.ts';

/** Every call of Terraform. What a handler throws becomes one diagnostic: an error of gRPC is shown as a crash. */
export function addProvider(server: Server, handlers: () => Promise<Handlers>): void {
  for (const rpc of rpcs) addCall(server, rpc, handlers);
}

function addCall<R extends Rpc>(server: Server, rpc: R, handlers: () => Promise<Handlers>): void {
  const names = [`${rpc}.Request`, `${rpc}.Response`] as const;
  addUnary(server, `/tfplugin6.Provider/${rpc}`, names, (request) => answer(rpc, request, handlers));
}

async function answer<R extends Rpc>(
  rpc: R,
  request: RequestOf<R>,
  handlers: () => Promise<Handlers>,
): Promise<ResponseOf<R> | Encoded> {
  try {
    return await (await handlers())[rpc](request);
  } catch (error) {
    return afterFailure[rpc](request, diagnosticMessage(diagnosticOf(error, rpc)));
  }
}

type AfterFailure = { readonly [R in Rpc]: (request: RequestOf<R>, said: Message<'Diagnostic'>) => ResponseOf<R> };

const saidOnly = (_: object, said: Message<'Diagnostic'>) => ({ diagnostics: [said] });

/** Where Terraform would take an answer without a state for one that says that the resource is gone, it gets the old one. */
const afterFailure: AfterFailure = {
  GetMetadata: saidOnly,
  GetProviderSchema: saidOnly,
  ValidateProviderConfig: saidOnly,
  ValidateResourceConfig: saidOnly,
  ValidateDataResourceConfig: saidOnly,
  UpgradeResourceState: saidOnly,
  ConfigureProvider: saidOnly,
  ReadResource: ({ current_state: state, private: own }, said) => ({
    diagnostics: [said],
    ...(state === undefined ? {} : { new_state: state }),
    ...(own === undefined ? {} : { private: own }),
  }),
  PlanResourceChange: saidOnly,
  ApplyResourceChange: ({ prior_state: state, planned_private: own }, said) => ({
    diagnostics: [said],
    ...(state === undefined ? {} : { new_state: state }),
    ...(own === undefined ? {} : { private: own }),
  }),
  ImportResourceState: saidOnly,
  MoveResourceState: saidOnly,
  ReadDataSource: saidOnly,
  GetFunctions: saidOnly,
  StopProvider: (_, { summary = '' }) => ({ Error: summary }),
};
