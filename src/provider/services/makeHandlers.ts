import { once } from '../../base/once.ts';
import { isPartType, type PartTypeName } from '../../hcl/schema/names.ts';
import type { Surroundings } from '../platform/settings.ts';
import type { Handlers } from '../protocol/messages.ts';
import type { ProviderSession } from './providerSession.ts';

/** The calls of one process, and its end. */
export interface Provider {
  readonly handlers: Handlers;
  /** Called when Terraform has requested the end, but is still running. */
  settle(): Promise<void>;
  /** Ends the connections, and the embedded platform. */
  close(): Promise<void>;
}

/** Each call loads only what it needs: a process that answers only the schema loads no session, client or planner. */
export function makeHandlers(surroundings: Surroundings): Provider {
  let isStopped = false;
  let opened: Promise<ProviderSession> | undefined;
  function session(): Promise<ProviderSession> {
    opened ??= import('./providerSession.ts').then(({ ProviderSession }) => {
      const made = new ProviderSession(surroundings);
      if (isStopped) made.stop();
      return made;
    });
    return opened;
  }
  // `import()` alone would resolve a module at each call.
  const schemaCalls = once(() => import('./schemaCalls.ts'));
  const state = once(() => import('./state.ts'));
  const configure = once(() => import('./configure.ts'));
  const validate = once(() => import('./validate.ts'));
  const read = once(() => import('./readResource.ts'));
  const readData = once(() => import('./readDataSource.ts'));
  const plan = once(() => import('./planChange.ts'));
  const apply = once(() => import('./applyChange.ts'));
  const functions = once(() => import('./callFunction.ts'));
  const ephemeral = once(() => import('./ephemeral.ts'));
  const parts = once(() => import('./partCalls.ts'));
  return {
    handlers: {
      GetMetadata: async () => (await schemaCalls()).getMetadata(),
      GetProviderSchema: async () => (await schemaCalls()).getProviderSchema(),
      GetFunctions: async () => (await functions()).getFunctions(),
      CallFunction: async (request) => (await functions()).callFunction(request),
      ValidateProviderConfig: async (request) => (await configure()).validateProviderConfig(request),
      ConfigureProvider: async (request) => (await configure()).configureProvider(await session(), request),
      ValidateResourceConfig: async (request) =>
        ofPart(request, async (type) => (await parts()).validatePart(type, request)) ??
        (await validate()).validateResourceConfig(request),
      ValidateDataResourceConfig: async (request) => (await validate()).validateDataConfig(request),
      UpgradeResourceState: async (request) =>
        ofPart(request, async (type) => (await parts()).upgradePart(type, request)) ??
        (await state()).upgradeResourceState(await session(), request),
      MoveResourceState: async (request) => (await state()).moveResourceState(request),
      ImportResourceState: async (request) =>
        ofPart(request, async (type) => (await parts()).importPart(type, request)) ??
        (await state()).importResourceState(await session(), request),
      ReadResource: (request) =>
        unlessStopped(
          async (own) =>
            ofPart(request, async (type) => (await parts()).readPart(own, type, request)) ??
            (await read()).readResource(own, request),
        ),
      ReadDataSource: (request) => unlessStopped(async (own) => (await readData()).readDataSource(own, request)),
      PlanResourceChange: (request) =>
        unlessStopped(
          async (own) =>
            ofPart(request, async (type) => (await parts()).planPart(own, type, request)) ??
            (await plan()).planChange(own, request),
        ),
      ApplyResourceChange: async (request) =>
        ofPart(request, async (type) => (await parts()).applyPart(await session(), type, request)) ??
        (await apply()).applyChange(await session(), request),
      ValidateEphemeralResourceConfig: async (request) => (await ephemeral()).validateEphemeralResource(request),
      OpenEphemeralResource: (request) =>
        unlessStopped(async (own) => (await ephemeral()).openEphemeralResource(own, request)),
      RenewEphemeralResource: async () => ({}), // no resource requests it
      CloseEphemeralResource: async (request) => (await ephemeral()).closeEphemeralResource(await session(), request),
      StopProvider: async () => {
        isStopped = true;
        (await opened)?.stop();
        return {};
      },
    },
    settle: async () => (await opened)?.settle(),
    close: async () => (await opened)?.close(),
  };

  async function unlessStopped<T>(work: (own: ProviderSession) => Promise<T>): Promise<T> {
    const own = await session();
    return own.unlessStopped(work(own));
  }
}

/** The answer for a resource that is a part of a record; undefined if it is a record. */
function ofPart<Answer>(
  { type_name: type }: { readonly type_name?: string },
  answer: (type: PartTypeName) => Promise<Answer>,
): Promise<Answer> | undefined {
  return isPartType(type) ? answer(type) : undefined;
}
