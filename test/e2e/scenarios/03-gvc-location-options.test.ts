import { runScenario } from '../harness/scenario.ts';
import { scenario } from './03-gvc-location-options.ts';

runScenario(scenario);
