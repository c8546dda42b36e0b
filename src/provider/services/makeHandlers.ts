import type { Surroundings } from '../platform/settings.ts';
import type { Handlers } from '../protocol/messages.ts';
import { ProviderSession } from './providerSession.ts';

/** The calls of one process, and its end. */
export interface Provider {
  readonly handlers: Handlers;
  /** Ends the connections, and the embedded platform. */
  close(): Promise<void>;
}

/** Each call loads what it needs: a process that is asked for the schema loads no client, and no planner. */
export function makeHandlers(surroundings: Surroundings): Provider {
  const session = new ProviderSession(surroundings);
  const schemaCalls = () => import('./schemaCalls.ts');
  const state = () => import('./state.ts');
  const configure = () => import('./configure.ts');
  return {
    handlers: {
      GetMetadata: async () => (await schemaCalls()).getMetadata(),
      GetProviderSchema: async () => (await schemaCalls()).getProviderSchema(),
      GetFunctions: async () => ({}),
      ValidateProviderConfig: async (request) => (await configure()).validateProviderConfig(request),
      ConfigureProvider: async (request) => (await configure()).configureProvider(session, request),
      ValidateResourceConfig: async (request) => (await import('./validate.ts')).validateResourceConfig(request),
      ValidateDataResourceConfig: async () => ({}),
      UpgradeResourceState: async (request) => (await state()).upgradeResourceState(session, request),
      MoveResourceState: async (request) => (await state()).moveResourceState(request),
      ImportResourceState: async (request) => (await state()).importResourceState(session, request),
      ReadResource: async (request) => (await import('./readResource.ts')).readResource(session, request),
      ReadDataSource: async (request) => (await import('./readDataSource.ts')).readDataSource(session, request),
      PlanResourceChange: async (request) => (await import('./planChange.ts')).planChange(session, request),
      ApplyResourceChange: async (request) => (await import('./applyChange.ts')).applyChange(session, request),
      StopProvider: async () => {
        session.stop();
        return {};
      },
    },
    close: () => session.close(),
  };
}
