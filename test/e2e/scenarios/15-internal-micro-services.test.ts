import { runScenario } from '../harness/scenario.ts';
import { scenario } from './15-internal-micro-services.ts';

runScenario(scenario);
