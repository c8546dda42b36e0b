import type { JsonObject } from '../../../base/json/json.ts';

/** A location that every org has (platform/location). */
export interface BuiltInLocation {
  readonly provider: 'aws' | 'azure' | 'gcp';
  readonly region: string;
  /** Provider, region (place). */
  readonly description: string;
  /** `status.geo` (platform/location.fields). */
  readonly geo: JsonObject;
}

type Row = readonly [
  provider: BuiltInLocation['provider'],
  region: string,
  description: string,
  city: string,
  state: string,
  country: string,
  continent: string,
  lat: number,
  lon: number,
];

const rows: readonly Row[] = [
  ['aws', 'eu-central-1', 'AWS, Europe (Frankfurt)', 'Frankfurt', 'Hesse', 'DE', 'Europe', 50.11, 8.68],
  ['aws', 'eu-west-1', 'AWS, Europe (Dublin)', 'Dublin', 'Leinster', 'IE', 'Europe', 53.35, -6.26],
  ['aws', 'us-east-1', 'AWS, US East (N. Virginia)', 'Ashburn', 'Virginia', 'US', 'North America', 38.95, -77.45],
  ['aws', 'us-east-2', 'AWS, US East (Ohio)', 'Columbus', 'Ohio', 'US', 'North America', 40.0, -83.0],
  ['aws', 'us-west-2', 'AWS, US West (Oregon)', 'Boardman', 'Oregon', 'US', 'North America', 45.84, -119.7],
  ['aws', 'ap-southeast-2', 'AWS, Asia Pacific (Sydney)', 'Sydney', 'New South Wales', 'AU', 'Oceania', -33.87, 151.21],
  ['azure', 'eastus2', 'Azure, US East (Virginia)', 'Boydton', 'Virginia', 'US', 'North America', 36.67, -78.39],
  ['azure', 'northeurope', 'Azure, Europe (Dublin)', 'Dublin', 'Leinster', 'IE', 'Europe', 53.35, -6.26],
  ['azure', 'westus2', 'Azure, US West (Washington)', 'Quincy', 'Washington', 'US', 'North America', 47.23, -119.85],
  ['gcp', 'europe-west4', 'GCP, Europe (Eemshaven)', 'Eemshaven', 'Groningen', 'NL', 'Europe', 53.43, 6.83],
  ['gcp', 'us-central1', 'GCP, US Central (Iowa)', 'Council Bluffs', 'Iowa', 'US', 'North America', 41.26, -95.86],
  [
    'gcp',
    'us-east1',
    'GCP, US East (South Carolina)',
    'Moncks Corner',
    'South Carolina',
    'US',
    'North America',
    33.2,
    -80.01,
  ],
  ['gcp', 'us-west1', 'GCP, US West (Oregon)', 'The Dalles', 'Oregon', 'US', 'North America', 45.6, -121.18],
];

export const builtInLocations: readonly BuiltInLocation[] = rows.map(
  ([provider, region, description, city, state, country, continent, lat, lon]) => {
    return { provider, region, description, geo: { lat, lon, country, state, city, continent } };
  },
);
