import type { FunctionGroup } from './function-doc.ts';

export const networkDocs: FunctionGroup = {
  title: 'Network and geography',
  functions: {
    cidr: {
      sentence: 'Keeps events whose IP address is in one of the given subnets.',
      example: 'cidr(ip, subnet=["192.0.2.0/24"]) | groupBy(ip)',
    },
    subnet: {
      sentence: 'Returns the network address of an IPv4 address.',
      example: 'net := subnet(ip, bits=24) | groupBy(net)',
    },
    ipLocation: {
      sentence: 'Adds the country, city and coordinates of an IP address.',
      example: 'ip=198.51.100.7 | ipLocation(ip) | groupBy([ip, ip.country, ip.city])',
    },
    asn: {
      sentence: 'Adds the autonomous system number and organization of an IP address.',
      example: 'asn(ip) | groupBy(ip.org)',
    },
    reverseDns: {
      sentence: 'Returns the host name of an IP address by reverse DNS lookup.',
      example: 'host := reverseDns(ip) | groupBy([ip, host], function=[])',
    },
    'ioc:lookup': {
      sentence: 'Looks up IP addresses, domains or URLs in a list of known indicators of compromise.',
      example:
        'ioc:lookup(ip, type=ip_address, strict=true)\n| groupBy([ip, ioc.detected, ioc[0].malicious_confidence])',
    },
    communityId: {
      sentence: 'Returns the Community ID of a network flow.',
      example:
        'flow := communityId(proto=proto, sourceip=src, destinationip=dst, sourceport=sport, destinationport=dport)\n| select(flow)',
    },
    geohash: {
      sentence: 'Returns the geohash of a latitude and longitude.',
      example: 'area := geohash(lat=lat, lon=lon, precision=5)',
    },
    'geography:distance': {
      sentence: 'Returns the distance between two points on Earth.',
      example:
        'geography:distance(lat1=from.lat, lon1=from.lon, lat2=to.lat, lon2=to.lon, as=meters)\n| round(meters) | select(meters)',
    },
  },
};
