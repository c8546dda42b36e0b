import { runScenario } from '../harness/scenario.ts';
import { scenario } from './09-standard-keda.ts';

runScenario(scenario);
