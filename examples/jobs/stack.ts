/**
 * Work on a schedule: a nightly export, and a clean-up that is suspended and started by hand. Try it with
 * `npx gantry apply examples/jobs --embedded`; README.md in this folder shows how to run a job now.
 */
import { App, Gvc, Stack, Workload } from 'gantry';

const stack = new Stack(new App(), 'jobs');
const gvc = new Gvc(stack, 'jobs', { locations: ['aws-eu-central-1', 'aws-us-east-1'] });

// Schedules are in UTC. With `Forbid` a run is left out while the one before it is still going on.
new Workload(gvc, 'export', {
  type: 'cron',
  containers: [
    {
      name: 'export',
      image: 'registry.example.com/jobs/export:1.9',
      cpu: '500m',
      memory: '512Mi',
      args: ['--since', 'yesterday'],
    },
  ],
  job: {
    schedule: '30 2 * * *',
    concurrencyPolicy: 'Forbid',
    historyLimit: 7,
    restartPolicy: 'OnFailure',
    activeDeadlineSeconds: 3_600,
  },
});

// Suspended: the schedule starts nothing, somebody does.
new Workload(gvc, 'clean-up', {
  type: 'cron',
  containers: [
    {
      name: 'clean-up',
      image: 'registry.example.com/jobs/clean-up:1.2',
      cpu: '100m',
      memory: '128Mi',
      args: ['--all'],
    },
  ],
  job: { schedule: '0 4 1 * *' },
  defaultOptions: { suspend: true },
});
