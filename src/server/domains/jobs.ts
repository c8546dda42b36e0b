import { stringAt } from '../../base/json/json.ts';
import { addEvent } from '../audit/eventLog.ts';
import type { Job } from '../core/job.ts';

const words: Readonly<Record<string, string>> = {
  initializing: 'the domain is being set up',
  pendingDnsConfig: 'waiting for the DNS records of status.dnsConfig',
  pendingCertificate: 'waiting for a certificate',
  ready: 'the domain is ready',
  errored: 'no certificate was issued',
};

/** Logs the start of a stage of a domain. The status itself is a function of time (platform/domain.status). */
export const domainStage: Job = ({ platform, tx }, about) => {
  const [uid = '', stage = ''] = [stringAt(about, 'uid'), stringAt(about, 'stage')];
  const row = tx.byUid('domain', uid);
  const status = Object.hasOwn(words, stage) ? words[stage] : undefined;
  if (row !== undefined && status !== undefined) addEvent({ platform, tx }, row, { component: 'dns-updater', status });
};
