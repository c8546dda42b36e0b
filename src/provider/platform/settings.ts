import { resolve } from 'node:path';
import { durationWithUnitMs } from '../../base/text/duration.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { holdsUnknown, isListValue, type ObjectValue, unknown } from '../../hcl/value.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { remoteAddresses, unencryptedAddresses } from '../../project/settings/endpoints.ts';
import type { Profile } from '../../project/settings/profile.ts';
import { variableOfAttribute } from '../../project/settings/settingsTable.ts';
import { type Risk, risks } from '../../schema/facts/risk.ts';
import type { Log } from '../host/log.ts';
import { type DefaultTags, type IgnoredTags, tagsIn, wrongDefaults, wrongPatterns } from './defaultTags.ts';
import type { makeDeletionReads } from './looks.ts';

/** The settings of the provider block and the environment. */
export interface ProviderSettings {
  /** Absent with `embedded`. */
  readonly endpoint: string | undefined;
  readonly org: string;
  /** For resources without one. */
  readonly gvc: string | undefined;
  readonly token: string | undefined;
  /** The endpoint of the provider block, if the token is from elsewhere. */
  readonly tokenTarget: string | undefined;
  /** Any certificate of the platform is accepted. */
  readonly insecure: boolean;
  /** Certificates of authorities in PEM, trusted in addition to those of the system. */
  readonly authorities: string | undefined;
  /** The file with the platform's own vocabulary. */
  readonly dialect: string | undefined;
  /** The folder of an embedded platform. */
  readonly embedded: string | undefined;
  /** Tags of other writers, on all resources. */
  readonly ignoredTags: IgnoredTags;
  /** For all resources, by key. */
  readonly defaultTags: DefaultTags;
  readonly maxRisk: Risk | undefined;
  readonly maxConcurrency: number | undefined;
  /** How long stale reads after a write are repeated. */
  readonly consistencyMs: number | undefined;
  /** Whether to adopt its own records without a trace of an interrupted apply. */
  readonly takesOver: boolean;
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The absolute folder of the configuration, from which relative paths are resolved. */
  readonly cwd: string;
  /** Waits between two attempts of a request. @default real time */
  readonly sleep?: (ms: number) => Promise<void>;
  /** The reads of deletions. @default `makeDeletionReads` with real time */
  readonly makeDeletionReads?: typeof makeDeletionReads;
  /** Absent if logging is not enabled. */
  readonly log?: Log | undefined;
}

/** The default org of an embedded platform. */
const embeddedOrg = 'local';

/** The problems in the known part of the provider block, regardless of the environment. */
export function blockProblems(block: ObjectValue): readonly Diagnostic[] {
  const { embedded, endpoint, max_risk: maxRisk, max_concurrency: most, token, token_file: tokenFile } = block;
  const { insecure, ca_file: caFile } = block;
  return [
    ...(insecure === true && isSet(caFile)
      ? [problem('ca_file', 'insecure and ca_file are both set', 'Remove insecure: any certificate would be accepted.')]
      : []),
    ...(isSet(token) && isSet(tokenFile)
      ? [problem('token_file', 'token and token_file are both set', 'Remove one of them.')]
      : []),
    ...(isSet(endpoint) && isSet(embedded)
      ? [problem('embedded', 'endpoint and embedded are both set', 'Remove one of them.')]
      : []),
    ...wrongPatterns(textsIn(block['ignore_tags'])).map((each) =>
      problem(
        'ignore_tags',
        `${JSON.stringify(each)} is not the key of a tag of others`,
        'Write a key, or its beginning and * at the end. Tags below gantry/ are always left to Gantry.',
      ),
    ),
    ...wrongDefaults(block['default_tags'], textsIn(block['ignore_tags'])),
    ...(typeof endpoint === 'string' && endpoint !== '' && !isAddresses(endpoint) ? [noAddress(endpoint)] : []),
    ...(typeof maxRisk === 'string' && riskNamed(maxRisk) === undefined
      ? [problem('max_risk', `${JSON.stringify(maxRisk)} is not a class of risk`, `Use one of ${risks.join(', ')}.`)]
      : []),
    ...(typeof most === 'bigint' || (typeof most === 'number' && !(Number.isInteger(most) && most >= 1 && most <= 1000))
      ? [problem('max_concurrency', `${most} is not a valid number of requests`, 'Use a whole number from 1 to 1000.')]
      : []),
  ];
}

/**
 * The settings, or what is missing. Attributes override variables, and these the profile; an empty variable counts as
 * absent. As for the command line, the token of a profile is sent to the endpoint of that profile only, and a GVC never
 * comes from one.
 */
export async function readSettings(
  block: ObjectValue,
  { environment, cwd }: Surroundings,
): Promise<ProviderSettings | { readonly diagnostics: readonly Diagnostic[] }> {
  const unknowns = Object.entries(block).filter(([, value]) => holdsUnknown(value));
  const problems = [
    ...blockProblems(block),
    ...unknowns.map(([name]) =>
      problem(
        name,
        `${name} is not known yet`,
        'Apply what it comes from first (-target), or set it to a known value.',
      ),
    ),
  ];
  const text = (name: string): string | undefined => {
    const value = block[name];
    if (typeof value === 'string' && value !== '') return value;
    return environment[variableOfAttribute(name) ?? ''] || undefined;
  };
  const embedded = text('embedded');
  const profile = embedded === undefined ? await profileOf(text('profile'), environment) : {};
  if ('severity' in profile) return { diagnostics: [...problems, profile] };
  const endpoint = embedded === undefined ? (text('endpoint') ?? profile.endpoint) : undefined;
  const isOfProfile = endpoint !== undefined && endpoint === profile.endpoint;
  if (endpoint !== undefined && endpoint !== block['endpoint'] && !isAddresses(endpoint)) {
    problems.push(noAddress(endpoint));
  }
  const org = text('org') ?? profile.org ?? (embedded === undefined ? undefined : embeddedOrg);
  if (embedded === undefined && endpoint === undefined && block['endpoint'] !== unknown) {
    problems.push(
      problem(
        'endpoint',
        'No platform is set',
        'Set endpoint or the variable GANTRY_ENDPOINT, or name a profile; or, to try it on this machine, embedded = ".gantry".',
      ),
    );
  }
  if (org === undefined && block['org'] !== unknown) {
    problems.push(
      problem('org', 'No org is set', 'Set org or the variable GANTRY_ORG, or name a profile that has one.'),
    );
  }
  const told = await tokenOf(block, environment, cwd);
  if (typeof told === 'object') problems.push(told);
  const token = told ?? (isOfProfile ? profile.token : undefined);
  const isOfUser = told === undefined || isSet(block['token']);
  const tokenTarget = isOfUser || endpoint !== block['endpoint'] ? undefined : endpoint;
  const timeout = text('consistency_timeout');
  const consistencyMs = timeout === undefined ? undefined : durationWithUnitMs(timeout);
  if (timeout !== undefined && consistencyMs === undefined) {
    const fix = 'Write it with units, as 30s or 2m, as consistency_timeout or GANTRY_CONSISTENCY_TIMEOUT.';
    problems.push(problem('consistency_timeout', `${JSON.stringify(timeout)} is not a valid duration`, fix));
  }
  const authorities = await authoritiesIn(text('ca_file'), cwd);
  if (typeof authorities === 'object') problems.push(authorities);
  if (token !== undefined && tokenTarget !== undefined) {
    problems.push(...unencryptedAddresses(tokenTarget).map((address) => plainTarget(address, block['token_file'])));
  }
  if (problems.length > 0 || org === undefined || typeof token === 'object' || typeof authorities === 'object')
    return { diagnostics: problems };

  const most = block['max_concurrency'];
  const { insecure } = block;
  const dialect = text('dialect');
  return {
    endpoint,
    org,
    gvc: text('gvc'),
    token,
    tokenTarget: token === undefined ? undefined : tokenTarget,
    insecure: typeof insecure === 'boolean' ? insecure : isOfProfile && profile.insecure === true,
    authorities,
    dialect: dialect === undefined ? undefined : resolve(cwd, dialect),
    embedded: embedded === undefined ? undefined : resolve(cwd, embedded),
    ignoredTags: textsIn(block['ignore_tags']),
    defaultTags: tagsIn(block['default_tags']),
    maxRisk: riskNamed(text('max_risk')),
    maxConcurrency: typeof most === 'number' ? most : undefined,
    consistencyMs,
    takesOver: block['take_over'] === true,
  };
}

/** The named profile, or the default of this user; empty if there is none. */
async function profileOf(
  name: string | undefined,
  environment: Surroundings['environment'],
): Promise<Profile | Diagnostic> {
  const { chosenProfile } = await import('../../project/settings/profileStore.ts');
  try {
    return (await chosenProfile(name, environment, undefined))?.profile ?? {};
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return problem('profile', error.message, error.hint ?? '');
  }
}

async function authoritiesIn(file: string | undefined, cwd: string): Promise<string | undefined | Diagnostic> {
  if (file === undefined) return undefined;
  const [{ readBytes }, { fileSizes }, { X509Certificate }] = await Promise.all([
    import('../../project/files/readBytes.ts'),
    import('../../project/files/sizes.ts'),
    import('node:crypto'),
  ]);
  try {
    const text = (await readBytes(resolve(cwd, file), { most: fileSizes.settings })).toString('utf8');
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (certificates.length === 0) throw new Error('there is no certificate in it');
    for (const each of certificates) new X509Certificate(each);
    return certificates.join('\n');
  } catch (error) {
    return problem('ca_file', `${file} cannot be read: ${systemReason(error)}`, 'Name a file of certificates in PEM.');
  }
}

/** The token of the provider block or of the variables, in this order; undefined if there is none. */
async function tokenOf(
  block: ObjectValue,
  environment: Surroundings['environment'],
  cwd: string,
): Promise<string | undefined | Diagnostic> {
  const { token, token_file: file } = block;
  if (typeof token === 'string' && token !== '') return token;
  if (typeof file !== 'string' || file === '') return environment[variableOfAttribute('token') ?? ''] || undefined;
  try {
    const { readToken } = await import('../../project/files/readToken.ts');
    return await readToken(resolve(cwd, file));
  } catch (error) {
    return problem(
      'token_file',
      `${file} cannot be read: ${systemReason(error)}`,
      'Name a file with the token, and nothing else.',
    );
  }
}

/** A configuration may come from someone else; the token does not. */
function plainTarget(address: string, tokenFile: ObjectValue[string] | undefined): Diagnostic {
  const token = typeof tokenFile === 'string' ? `The token in ${tokenFile}` : 'The token of GANTRY_TOKEN';
  return problem(
    'endpoint',
    'The token would go over the network unencrypted',
    `${token} would go to ${address}, which the provider block names. Use https there; or, if you trust the network, set the variable GANTRY_ENDPOINT in place of endpoint.`,
  );
}

function riskNamed(name: string | undefined): Risk | undefined {
  return risks.find((risk) => risk === name);
}

function textsIn(value: ObjectValue[string] | undefined): readonly string[] {
  return isListValue(value) ? value.filter((each) => typeof each === 'string') : [];
}

function isSet(value: ObjectValue[string] | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** One address, or several of one platform, separated by commas. */
function isAddresses(text: string): boolean {
  return text.split(',').every(isAddress);
}

function noAddress(endpoint: string): Diagnostic {
  const fix = 'Write https://HOST, or several with commas, as endpoint or GANTRY_ENDPOINT.';
  return problem('endpoint', `${JSON.stringify(endpoint)} is not a valid HTTP or HTTPS URL`, fix);
}

function isAddress(text: string): boolean {
  return URL.canParse(text.trim()) && /^https?:$/.test(new URL(text.trim()).protocol);
}

function problem(attribute: string, summary: string, detail: string): Diagnostic {
  return { severity: 'error', summary, detail, path: [attribute] };
}

/** Warns if an endpoint of the provider block gets a token of this user for the first time. */
export async function firstUse(
  { tokenTarget }: ProviderSettings,
  { environment }: Surroundings,
): Promise<readonly Diagnostic[]> {
  if (tokenTarget === undefined || remoteAddresses(tokenTarget).length === 0) return [];
  const { newAddresses, rememberAddresses } = await import('../../project/settings/tokenTarget.ts');
  const addresses = await newAddresses(tokenTarget, environment);
  if (addresses.length === 0) return [];
  await rememberAddresses(addresses, environment);
  const summary = `The token goes to ${addresses.join(' and ')} for the first time`;
  const detail =
    'The provider block names this endpoint. To name the platform yourself, set the variable GANTRY_ENDPOINT.';
  return [{ severity: 'warning', summary, detail, path: ['endpoint'] }];
}
