import { runScenario } from '../harness/scenario.ts';
import { scenario } from './02-gvc-with-everything.ts';

runScenario(scenario);
