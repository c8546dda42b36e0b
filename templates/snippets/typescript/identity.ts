import { type Gvc, Identity } from 'gantry';

/** What workloads act as. Policies grant it the secrets that they read. */
export function addSample(gvc: Gvc): Identity {
  return new Identity(gvc, 'sample', { description: 'The workloads that read the database' });
}
