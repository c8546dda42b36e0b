import { Api } from '../../commands/call/api.ts';
import { homeOf, orgHomeOf } from '../../commands/call/paths.ts';
import { nameOf } from '../../commands/call/records.ts';
import { openPlatform } from '../../project/platform/platform.ts';
import type { Environment, Session } from '../../project/session/session.ts';
import { ProfileStore } from '../../project/settings/profileStore.ts';
import { openProject } from '../../project/settings/project.ts';
import { newAddresses } from '../../project/settings/tokenTarget.ts';
import { isGvcScoped, kindNamed } from '../../schema/record/kinds.ts';
import type { Connection } from './complete.ts';

const mostNames = 500;
/** Somebody waits with a finger on the key. */
const usualPatienceMs = 2_000;

interface Surroundings {
  readonly environment: Environment;
  readonly cwd: string;
}

/** The names of records of a kind, or of profiles; undefined where they cannot be read in time. */
export function liveNames(
  kind: string,
  given: Connection,
  surroundings: Surroundings,
  patienceMs = usualPatienceMs,
): Promise<readonly string[] | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs, undefined).unref());
  return Promise.race([readNames(kind, given, surroundings).catch(() => undefined), late]);
}

/** The same, however long it takes. Throws where they cannot be read. */
export async function readNames(
  kind: string,
  given: Connection,
  { environment, cwd }: Surroundings,
): Promise<readonly string[] | undefined> {
  if (kind === 'profile') return new ProfileStore(environment).names();
  const known = kindNamed(kind);
  if (known === undefined) return undefined;
  const { 'token-file': tokenFile, environment: env, ...named } = given;
  const session: Session = {
    options: {
      ...named,
      ...(tokenFile === undefined ? {} : { tokenFile }),
      ...(env === undefined ? {} : { env }),
      embedded: false,
    },
    environment,
    cwd,
    stdin: (async function* () {})(),
    now: () => performance.now(),
    tell: () => {},
  };
  const { settings, profile } = await openProject(session, []);
  // Nobody would see that it is told: a key that was pressed in somebody else's folder sends no token.
  if (
    settings.tokenTarget !== undefined &&
    (await newAddresses(settings.tokenTarget.endpoint, environment)).length > 0
  ) {
    return [];
  }
  const platform = await openPlatform(session, settings);
  try {
    platform.client.stopRetrying();
    const api = new Api(platform, settings.gvc ?? profile?.profile.gvc);
    const isEverywhere = isGvcScoped(known) && api.gvc === undefined;
    const home = isEverywhere ? orgHomeOf(api, known) : homeOf(api, known);
    const { items } = await api.list(`${home}?limit=${mostNames}`, mostNames);
    return items.flatMap((item) => nameOf(item) ?? []);
  } finally {
    await platform.close();
  }
}
