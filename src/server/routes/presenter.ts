import { type JsonObject, objectAt, own, stringAt } from '../../schema/json.ts';
import { lastSegment, linkOf, parseLink } from '../../schema/links.ts';
import type { Ref } from '../../schema/ref.ts';
import { type AddressFacts, ipSetStatus, readAddresses } from '../rules/ipsets/addresses.ts';
import { domainStatus } from '../rules/domains/domainStatus.ts';
import { type PlacedLocation, placement } from '../rules/placement.ts';
import type { Candidate } from '../rules/queryMatch.ts';
import { shapeOf } from '../../schema/shapes.ts';
import { shownRecord } from '../rules/answers/shownRecord.ts';
import { quotaNamed } from '../rules/quotas/quotas.ts';
import { envelope, recordText } from '../rules/recordText.ts';
import type { Mounter } from '../rules/volumes/settleVolumes.ts';
import { readVolumes } from '../rules/volumes/volume.ts';
import { volumeSetStatus } from '../rules/volumes/volumeSetStatus.ts';
import { deployments } from '../rules/workloads/deployment.ts';
import type { WorkloadFacts } from '../rules/workloads/facts.ts';
import { desiredScale, readDemand } from '../rules/workloads/scale.ts';
import { workloadShown } from '../rules/workloads/workloadStatus.ts';
import { noLimit, refOfRow, type Row, type Transaction } from '../store/row.ts';
import { domainFacts } from './domainWork.ts';
import { contextOf, findRow, keysOf } from './findRow.ts';
import type { Platform } from './platform.ts';
import { quotaUse } from './quotaUse.ts';
import { deviceMaker } from './volumeSetWork.ts';
import { absentGvc, type PlacedGvc, placedGvc, workloadFacts } from './workloadFacts.ts';
import { missingImages } from './workloadNeeds.ts';

/** Shows the rows of one request. What several rows need, such as the locations of their GVC, is read once. */
export class Presenter {
  readonly #platform: Platform;
  readonly #tx: Transaction;
  readonly #nowMs: number;
  readonly #digests = new Map<string, string>();
  readonly #gvcs = new Map<string, PlacedGvc>();
  #locations: readonly PlacedLocation[] | undefined;

  constructor(platform: Platform, tx: Transaction) {
    this.#platform = platform;
    this.#tx = tx;
    this.#nowMs = platform.now();
  }

  /** The reply for one record; `more` is shown besides, in this reply only. */
  text(row: Row, more: JsonObject = {}): string {
    const shown = { ...this.#shown(row), ...more };
    const { org, settings } = this.#platform;
    if (settings.answers.size === 0) return recordText(row, org, shown);
    const whole = { ...envelope(row, org), ...shown, ...row.record };
    const context = contextOf(refOfRow(row), org);
    return JSON.stringify(shownRecord(shapeOf(row.kind, whole), whole, context, settings.answers));
  }

  /** The fields that a query can ask for; `status` and the like only where it does: they take work. */
  candidate(row: Row, withStatus = false): Candidate {
    const shown = withStatus ? this.#shown(row) : objectAt(row.state, 'shown');
    return { fields: { ...envelope(row, this.#platform.org), ...shown, ...row.record }, gvc: row.gvc };
  }

  deployments(row: Row): readonly JsonObject[] {
    return deployments(this.workloadFacts(row), linkOf(refOfRow(row), this.#platform.org));
  }

  /** The locations of a GVC, with the time at which each came. */
  locationsOf(gvc: string): WorkloadFacts['locations'] {
    return this.#gvc(gvc).locations;
  }

  /** Who mounts a volume set. */
  mounters(volumeSet: Ref): readonly Mounter[] {
    return this.#tx.referrers(volumeSet, 'workload').map((row) => ({
      link: linkOf(refOfRow(row), this.#platform.org),
      locations: this.locationsOf(row.gvc).map(({ name }) => ({
        name,
        replicas: desiredScale(row.record, name, readDemand(row.state, name), this.#nowMs),
      })),
    }));
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
    const balancer = objectAt(objectAt(target.record, 'spec'), 'loadBalancer');
    const holder = ref.kind === 'gvc' ? balancer : objectAt(balancer, 'direct');
    const isOff = own(holder, 'enabled') === false;
    const back = stringAt(holder, 'ipSet');
    const locations = this.locationsOf(ref.gvc ?? ref.name).map(({ name }) => ({
      name,
      provider: this.#provider(name),
    }));
    return { record: row.record, addresses, locations, bound: !isOff && back === linkOf(refOfRow(row), org) };
  }

  #provider(location: string): string {
    const row = this.#tx.get({ kind: 'location', name: location });
    return row === undefined ? '' : (stringAt(row.record, 'provider') ?? '');
  }

  #shown(row: Row): JsonObject {
    const kept = objectAt(row.state, 'shown');
    switch (row.kind) {
      case 'workload':
        return this.#workloadShown(row);
      case 'volumeset':
        return { ...kept, status: this.#volumeSetStatus(row) };
      case 'ipset':
        return { ...kept, status: ipSetStatus(this.addressFacts(row), this.#platform.org) };
      case 'domain':
        return { ...kept, status: this.#domainStatus(row) };
      case 'quota': {
        const quota = quotaNamed(row.name);
        return quota === undefined ? kept : { ...kept, current: quotaUse(this.#tx, quota) };
      }
      case 'serviceaccount':
        return { ...kept, keys: keysOf(row).map(({ digest: _, ...key }) => key) };
      default:
        return kept;
    }
  }

  workloadFacts(row: Row): WorkloadFacts {
    return workloadFacts(this.#platform, this.#tx, row, this.#gvc(row.gvc));
  }

  /** Many workloads of a list have one image. */
  #digest(text: string): string {
    const known = this.#digests.get(text);
    if (known !== undefined) return known;
    const made = this.#platform.digest(text);
    this.#digests.set(text, made);
    return made;
  }

  #workloadShown(row: Row): JsonObject {
    const { uid: parentId, aliasWorkload } = this.#gvc(row.gvc);
    return workloadShown(this.workloadFacts(row), {
      parentId,
      hasAlias: aliasWorkload === row.name,
      missingImages: missingImages(this.#tx, row.record),
      digest: (text) => this.#digest(text),
    });
  }

  #volumeSetStatus(row: Row): JsonObject {
    return volumeSetStatus({
      name: row.name,
      parentId: this.#gvc(row.gvc).uid,
      record: row.record,
      volumes: readVolumes(row.state),
      mounters: this.mounters(refOfRow(row)),
      maker: deviceMaker(this.#platform, row),
      nowMs: this.#nowMs,
    });
  }

  #domainStatus(row: Row): JsonObject {
    const place = { platform: this.#platform, tx: this.#tx };
    return domainStatus(domainFacts(place, row, (gvc) => this.#gvc(gvc)));
  }

  #gvc(name: string): PlacedGvc {
    const known = this.#gvcs.get(name);
    if (known !== undefined) return known;
    const row = this.#tx.get({ kind: 'gvc', name });
    const made = row === undefined ? absentGvc : placedGvc(row, this.placementOf(row.record));
    this.#gvcs.set(name, made);
    return made;
  }

  /** The names of the locations of a GVC record that exist. */
  placementOf(gvc: JsonObject): readonly string[] {
    return placement(gvc, () => {
      this.#locations ??= this.#tx
        .select({ kind: 'location', limit: noLimit })
        .map((row) => ({ ...this.candidate(row), name: lastSegment(row.name) }));
      return this.#locations;
    });
  }
}
