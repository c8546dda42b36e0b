import { runScenario } from '../harness/scenario.ts';
import { scenario } from './14-cron-job.ts';

runScenario(scenario);
