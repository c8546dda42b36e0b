import { isObject, type JsonObject, listAt, numberAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { onceFor } from '../../../base/once.ts';
import { linkedLocations, locationQueryOf } from '../../../kinds/gvc/gvcView.ts';
import { balancerOf } from '../../../kinds/ipset/rules.ts';
import { hasKeys, holdsAddresses, isNamedByHost, isSecret, runs, storesData } from '../../../kinds/kindFacts.ts';
import { references } from '../../../kinds/references.ts';
import { shapeOf } from '../../../kinds/shapeOf.ts';
import { contextOf, lastSegment, linkOf, parseLink } from '../../../schema/record/ref.ts';
import type { Platform } from '../../core/platform.ts';
import { findRow, keysOf } from '../../core/rows.ts';
import type { UnitOfWork } from '../../core/session.ts';
import { absentGvc, type GvcFacts, gvcFacts } from '../../core/shownTexts.ts';
import { domainStatus } from '../../domains/decisions/domainStatus.ts';
import type { ApiReply } from '../../http/message.ts';
import { readQuery } from '../../query/decisions/query.ts';
import { type Candidate, matches } from '../../query/decisions/queryMatch.ts';
import { noLimit, type Row, refOfRow, type Transaction } from '../../store/model/row.ts';
import { deviceMaker } from '../../volumes/decisions/device.ts';
import { isShared, type Mounter } from '../../volumes/decisions/reconcileVolumes.ts';
import { readVolumes } from '../../volumes/decisions/volume.ts';
import { volumeSetStatus } from '../../volumes/decisions/volumeSetStatus.ts';
import { deployments, type LocationFacts, locationFacts, type WorkloadFacts } from '../../workloads/decisions/facts.ts';
import type { GvcHistory, History } from '../../workloads/decisions/rollout.ts';
import { desiredScale, readDemand } from '../../workloads/decisions/scale.ts';
import { isSteady, workloadShown } from '../../workloads/decisions/workloadStatus.ts';
import { quotaNamed } from '../decisions/builtInRecords.ts';
import { type AddressFacts, ipSetStatus, readAddresses } from '../decisions/ipSetAddresses.ts';
import { envelope, recordText } from '../decisions/recordText.ts';
import { shownRecord } from '../decisions/shownRecord.ts';
import { domainFacts } from './domainFacts.ts';
import { quotaUse } from './quotaUse.ts';

/** Shows the rows of one request. Shared input, such as the locations of a GVC, is read only once. */
export class Presenter {
  readonly #platform: Platform;
  readonly #tx: Transaction;
  readonly #nowMs: number;
  #locationRows: readonly Row[] | undefined;

  constructor(platform: Platform, tx: Transaction) {
    this.#platform = platform;
    this.#tx = tx;
    this.#nowMs = platform.now();
  }

  /** The reply for one record. */
  text(row: Row): string {
    const gvc = runs(row.kind) ? this.#gvc(row.gvc) : undefined;
    const { texts } = this.#platform;
    const known = texts.textOf(row, gvc, this.#nowMs);
    if (known !== undefined) return known;
    const { fields, isTimeless } = this.#shown(row);
    const text = this.#whole(row, fields);
    if (isTimeless) texts.cacheText(row, gvc, this.#platform.now(), text);
    return text;
  }

  /** Like `text`, with additional fields, such as secret values, which are not cached. */
  textWith(row: Row, more: JsonObject): string {
    return this.#whole(row, { ...this.#shown(row).fields, ...more });
  }

  #whole(row: Row, shown: JsonObject): string {
    const { org, settings } = this.#platform;
    if (settings.answers.size === 0) return recordText(row, org, shown);
    const whole = { ...envelope(row, org), ...shown, ...row.record };
    const context = contextOf(refOfRow(row), org);
    return JSON.stringify(shownRecord(shapeOf(row.kind, whole), whole, context, settings.answers));
  }

  /** The fields for a query; computed ones, such as `status`, only on request. */
  candidate(row: Row, withStatus = false): Candidate {
    const shown = withStatus ? this.#shown(row).fields : objectAt(row.state, 'shown');
    return { fields: { ...envelope(row, this.#platform.org), ...shown, ...row.record }, gvc: row.gvc };
  }

  deployments(row: Row): readonly JsonObject[] {
    return deployments(this.workloadFacts(row), linkOf(refOfRow(row), this.#platform.org));
  }

  /** The locations of a GVC and when each was added. */
  locationsOf(gvc: string): WorkloadFacts['locations'] {
    return this.#gvc(gvc).locations;
  }

  /** A workload as a mounter of a volume set. */
  mounter(row: Row): Mounter {
    return {
      link: linkOf(refOfRow(row), this.#platform.org),
      locations: this.locationsOf(row.gvc).map(({ name }) => ({
        name,
        replicas: desiredScale(row.record, name, readDemand(row.state, name), this.#nowMs),
      })),
    };
  }

  /**
   * The workloads whose replicas determine the volumes of a set. For a shared set, which thousands may mount, one is
   * enough: their number is irrelevant, and all are in the GVC of the set.
   */
  mountersOf(volumeSet: Row): readonly Mounter[] {
    const ref = refOfRow(volumeSet);
    const shared = isShared(volumeSet.record);
    return this.#tx.referrers(ref, 'workload', shared ? 1 : noLimit).map((row) => this.mounter(row));
  }

  addressFacts(row: Row): AddressFacts {
    const { org } = this.#platform;
    const link = stringAt(objectAt(row.record, 'spec'), 'link');
    const ref = link === undefined ? undefined : parseLink(link, { org })?.ref;
    const target = ref === undefined ? undefined : findRow(this.#tx, ref);
    const addresses = readAddresses(row.state);
    if (ref === undefined || target === undefined) {
      return { record: row.record, addresses, locations: [], bound: false };
    }
    const balancer = balancerOf(ref.kind, target.record);
    const isOff = own(balancer, 'enabled') === false;
    const ipSetLink = stringAt(balancer, 'ipSet');
    const locations = this.locationsOf(ref.gvc ?? ref.name).map(({ name }) => ({
      name,
      provider: this.#provider(name),
    }));
    return { record: row.record, addresses, locations, bound: !isOff && ipSetLink === linkOf(refOfRow(row), org) };
  }

  #provider(location: string): string {
    const row = this.#tx.get({ kind: 'location', name: location });
    return row === undefined ? '' : (stringAt(row.record, 'provider') ?? '');
  }

  #shown(row: Row): ShownFields {
    const seeded = objectAt(row.state, 'shown');
    const { kind } = row;
    if (runs(kind)) return this.#workloadShown(row);
    const withStatus = (status: JsonObject): ShownFields => ({ fields: { ...seeded, status }, isTimeless: false });
    if (storesData(kind)) return withStatus(this.#volumeSetStatus(row));
    if (holdsAddresses(kind)) return withStatus(ipSetStatus(this.addressFacts(row), this.#platform.org));
    if (isNamedByHost(kind)) return withStatus(this.#domainStatus(row));
    if (kind === 'quota') {
      const quota = quotaNamed(row.name);
      const current = present({ current: quota === undefined ? undefined : quotaUse(this.#tx, quota) });
      return { fields: { ...seeded, ...current }, isTimeless: false };
    }
    const keys = hasKeys(kind) ? { keys: keysOf(row).map(({ digest: _, ...key }) => key) } : {};
    return { fields: { ...seeded, ...keys }, isTimeless: true };
  }

  workloadFacts(row: Row): WorkloadFacts {
    return workloadFacts(this.#platform, this.#tx, row, this.#gvc(row.gvc));
  }

  /** The locations where a workload runs. */
  locationFactsOf(row: Row): readonly LocationFacts[] {
    return locationFacts(this.workloadFacts(row));
  }

  /** Cached, because many workloads of a list have the same image. */
  readonly #digest = onceFor((text: string) => this.#platform.digest(text));

  #workloadShown(row: Row): ShownFields {
    const { uid: parentId, aliasWorkload } = this.#gvc(row.gvc);
    const facts = this.workloadFacts(row);
    const places = locationFacts(facts);
    const images = ownImages(row.record);
    const fields = workloadShown(facts, places, {
      parentId,
      hasAlias: aliasWorkload === row.name,
      missingImages: missingImages(this.#tx, images),
      digest: this.#digest,
    });
    return { fields, isTimeless: images.length === 0 && isSteady(facts, places) };
  }

  #volumeSetStatus(row: Row): JsonObject {
    return volumeSetStatus({
      name: row.name,
      parentId: this.#gvc(row.gvc).uid,
      record: row.record,
      volumes: readVolumes(row.state),
      mounters: this.mountersOf(row),
      workloadLinks: this.#tx
        .referrerRefs(refOfRow(row), 'workload')
        .map((workload) => linkOf(workload, this.#platform.org)),
      maker: deviceMaker(this.#platform, row),
      nowMs: this.#nowMs,
    });
  }

  #domainStatus(row: Row): JsonObject {
    const work = { platform: this.#platform, tx: this.#tx };
    return domainStatus(domainFacts(work, row, this.#gvc));
  }

  readonly #gvc = onceFor((name: string): GvcFacts => {
    const row = this.#tx.get({ kind: 'gvc', name });
    return row === undefined ? absentGvc : this.#placed(row);
  });

  #placed(row: Row): GvcFacts {
    const locations = locationQueryOf(row.record) === undefined ? [] : this.#locations;
    return this.#platform.texts.cachedGvcFacts(row, locations, () => gvcFacts(row, this.placementOf(row.record)));
  }

  /** The names of the locations of a GVC: those it lists, then those its query finds (platform/gvc). */
  placementOf(gvc: JsonObject): readonly string[] {
    const stored = locationQueryOf(gvc);
    const query = stored === undefined ? undefined : readQuery(stored, 'location', []);
    const found = query === undefined ? [] : this.#locations.filter((row) => matches(this.candidate(row), query));
    return [...new Set([...linkedLocations(gvc), ...found.map(({ name }) => lastSegment(name))])];
  }

  get #locations(): readonly Row[] {
    this.#locationRows ??= this.#tx.select({ kind: 'location', limit: noLimit });
    return this.#locationRows;
  }
}

/** The platform-owned fields of the response. */
interface ShownFields {
  readonly fields: JsonObject;
  /** Whether the text depends only on the row and, for a workload, its GVC, but not on time. */
  readonly isTimeless: boolean;
}

function workloadFacts(platform: Platform, tx: Transaction, row: Row, gvc: GvcFacts): WorkloadFacts {
  return {
    record: row.record,
    naming: {
      workload: row.name,
      gvc: row.gvc,
      alias: gvc.alias,
      prefix: platform.org,
      format: gvc.namingFormat,
    },
    history: historyOf(tx, row, gvc.history),
    locations: gvc.locations,
    state: row.state,
    nowMs: platform.now(),
    readyAfterMs: platform.settings.readyAfterMs,
  };
}

function historyOf(tx: Transaction, row: Row, gvc: GvcHistory): History {
  const rollout = objectAt(row.state, 'rollout');
  const ready = lastReadyVersion(rollout);
  return {
    version: row.version,
    sinceMs: numberAt(rollout, 'sinceMs') ?? row.createdMs,
    gvc,
    waitsFor: waitsFor(tx, row),
    ...present({ ready }),
  };
}

function lastReadyVersion(rollout: JsonObject): History['ready'] {
  const ready = own(rollout, 'ready');
  const version = isObject(ready) ? numberAt(ready, 'version') : undefined;
  return !isObject(ready) || version === undefined ? undefined : { version, sinceMs: numberAt(ready, 'sinceMs') ?? 0 };
}

/** The reply that shows one record. */
export function shownReply({ platform, tx }: UnitOfWork, row: Row): ApiReply {
  return { status: 200, body: new Presenter(platform, tx).text(row) };
}

/** The names of the missing secrets that a workload refers to (platform/deletion.references). */
export function missingSecrets(tx: Transaction, record: JsonObject, gvc: string): readonly string[] {
  const names = references('workload', record, { org: tx.org, gvc }).flatMap(({ target }) =>
    isSecret(target.kind) ? [target.name] : [],
  );
  return [...new Set(names)].filter((name) => tx.get({ kind: 'secret', name }) === undefined).toSorted();
}

/**
 * The missing secrets that the newest version waits for, which were already missing when it was written. A running
 * workload continues without its secret.
 */
function waitsFor(tx: Transaction, { state, record, gvc }: Row): readonly string[] {
  if (own(objectAt(state, 'rollout'), 'waits') !== true) return [];
  return missingSecrets(tx, record, gvc).map((name) => `the secret ${name}`);
}

export function isWaiting(tx: Transaction, row: Row): boolean {
  return waitsFor(tx, row).length > 0;
}

/** The images of the org's registry that a workload runs (platform/deletion.references). */
function ownImages(record: JsonObject): readonly string[] {
  const images = listAt(objectAt(record, 'spec'), 'containers').flatMap((container) => {
    const image = isObject(container) ? stringAt(container, 'image') : undefined;
    return image?.startsWith('/') ? [image] : [];
  });
  return [...new Set(images)];
}

/** The images that do not exist. */
function missingImages(tx: Transaction, images: readonly string[]): readonly string[] {
  return images.filter((image) => {
    const ref = parseLink(image, { org: tx.org })?.ref;
    return ref === undefined || tx.get(ref) === undefined;
  });
}
