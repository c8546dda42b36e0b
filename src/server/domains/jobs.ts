import { own, stringAt } from '../../base/json/json.ts';
import { addEvent } from '../audit/eventLog.ts';
import type { Job } from '../core/job.ts';
import { type DomainStage, domainStages } from './decisions/domainStage.ts';

const stageTexts: Readonly<Record<DomainStage, string>> = {
  initializing: 'the domain is being set up',
  pendingDnsConfig: 'waiting for the DNS records of status.dnsConfig',
  pendingCertificate: 'waiting for a certificate',
  ready: 'the domain is ready',
  errored: 'no certificate was issued',
};

/** Logs the start of a stage of a domain. The status itself is a function of time (platform/domain.status). */
export const domainStage: Job = ({ platform, tx }, about) => {
  const row = tx.byUid('domain', stringAt(about, 'uid') ?? '');
  const stage = domainStages.find((known) => known === own(about, 'stage'));
  if (row === undefined || stage === undefined) return;
  addEvent({ platform, tx }, row, { component: 'dns-updater', status: stageTexts[stage] });
};
