import { afterEach, beforeEach } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { type Client, makeClient } from '../../src/client/client.ts';
import { fetchSnapshot } from '../../src/client/fetchSnapshot.ts';
import type { Exchange } from '../../src/client/http/exchange.ts';
import { shortHash } from '../../src/gantry/loading/hash.ts';
import { snapshotRequest } from '../../src/gantry/loading/snapshotRequest.ts';
import { loadValidators } from '../../src/kinds/validators.ts';
import { checkManifests, kindsOf } from '../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../src/manifest/model/locatedProblem.ts';
import type { DesiredResource } from '../../src/manifest/model/manifest.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';
import type { PlanOptions } from '../../src/plan/model/planOptions.ts';
import { makeReplan } from '../../src/plan/replan.ts';
import type { RehearsalInput } from '../../src/rehearsal/input.ts';
import type { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { rehearse } from '../../src/rehearsal/rehearse.ts';
import { planFor, runOn } from '../../src/rehearsal/run.ts';
import { exchangeWith, openStage, type Stage } from '../../src/rehearsal/stage.ts';
import type { OrgDump } from '../../src/server/inProcess.ts';
import { options as usual } from '../plan/world.ts';

export const org = 'local';

async function manifests(text: string): Promise<readonly DesiredResource[]> {
  const { documents, problems } = parseManifestText({ text, file: 'stack.yaml', format: 'yaml' });
  const checked = checkManifests(documents, { org, validators: await loadValidators(kindsOf(documents)) });
  const errors = [...problems, ...checked.problems].filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(renderProblem).join('\n'));
  return checked.resources;
}

const options: PlanOptions = { ...usual, owner: 'town', maxDeletes: undefined, allowEmpty: true, hash: shortHash };

/** The plan of these manifests with its inputs. */
export async function planOf(client: Client, text: string, more: Partial<PlanOptions> = {}): Promise<RehearsalInput> {
  const desired = await manifests(text);
  const permitted = { ...options, ...more };
  const request = snapshotRequest(desired, org, permitted.owner);
  const { plan, snapshot } = await planFor(client, desired, await fetchSnapshot(client, request), permitted);
  return { plan, desired, snapshot, request, options: permitted, crash: false };
}

/** A platform that plays the live one. */
export interface Town {
  readonly live: Stage;
  /** Sends a request as another client would. */
  send(method: string, path: string, body?: JsonObject): Promise<{ readonly status: number; readonly text: string }>;
  /** Changes its state without checking any rule. */
  tamper(change: (held: OrgDump) => OrgDump): Promise<void>;
  /** `around` wraps the requests to the live platform. */
  planned(
    text: string,
    more?: Partial<PlanOptions>,
    around?: (exchange: Exchange) => Exchange,
  ): Promise<RehearsalInput>;
  apply(text: string, more?: Partial<PlanOptions>): Promise<void>;
  rehearseInput(input: RehearsalInput): Promise<Rehearsal>;
  rehearse(text: string, more?: Partial<RehearsalInput>, permits?: Partial<PlanOptions>): Promise<Rehearsal>;
}

/** A new town for each test of the file. */
export function townForEach(): Town {
  let stage: Stage | undefined;
  beforeEach(async () => {
    stage = await openStage({ org });
  });
  afterEach(() => stage?.close());
  const town: Town = {
    get live() {
      if (stage === undefined) throw new Error('the town is opened before each test');
      return stage;
    },
    async send(method, path, body) {
      const bodyText = body === undefined ? '' : JSON.stringify(body);
      const reply = await town.live.platform.send({ method, path: `/org/${org}/${path}`, bodyText });
      return { status: reply?.status ?? 0, text: reply?.body ?? '' };
    },
    async tamper(change) {
      const held = (await town.live.platform.dump())[org];
      if (held === undefined) throw new Error('a platform without its org');
      await town.live.platform.load({ [org]: change(held) });
    },
    planned: (text, more, around = (exchange) => exchange) => planOf(clientOf(town.live, around), text, more),
    async apply(text, more) {
      const { plan, desired, snapshot, options: permitted } = await town.planned(text, more);
      const result = await runOn(town.live, plan, makeReplan(desired, snapshot, permitted));
      const [failed] = result.failed;
      if (failed !== undefined) throw failed.error;
    },
    rehearseInput: rehearse,
    async rehearse(text, more = {}, permits = {}) {
      return rehearse({ ...(await town.planned(text, permits)), ...more });
    },
  };
  return town;
}

function clientOf({ platform }: Stage, around: (exchange: Exchange) => Exchange) {
  return makeClient({ endpoint: 'inside', org, exchange: around(exchangeWith(platform)) });
}
