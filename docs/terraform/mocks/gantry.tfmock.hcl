mock_resource "gantry_agent" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/agent/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_auditctx" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/auditctx/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_cloudaccount" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/cloudaccount/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_domain" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/domain/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_group" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/group/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_gvc" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/gvc/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_identity" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/gvc/mock/identity/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_ipset" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/ipset/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_location" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/location/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_policy" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/policy/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_secret" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/secret/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_serviceaccount" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/serviceaccount/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_volumeset" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/gvc/mock/volumeset/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_resource "gantry_workload" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock/gvc/mock/workload/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
    status = {
      endpoint           = "https://mock.example.com"
      canonical_endpoint = "https://mock.example.com"
    }
  }
}

mock_resource "gantry_org" {
  defaults = {
    id        = "00000000-0000-4000-8000-000000000000"
    link      = "/org/mock"
    created   = "2026-01-01T00:00:00Z"
    tags_all  = {}
    protected = false
  }
}

mock_data "gantry_agent" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/agent/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_auditctx" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/auditctx/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_cloudaccount" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/cloudaccount/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_domain" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/domain/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_group" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/group/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_gvc" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/gvc/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_identity" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/gvc/mock/identity/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_ipset" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/ipset/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_location" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/location/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_policy" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/policy/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_secret" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/secret/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_serviceaccount" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/serviceaccount/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_volumeset" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/gvc/mock/volumeset/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_workload" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/gvc/mock/workload/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
    status = {
      endpoint           = "https://mock.example.com"
      canonical_endpoint = "https://mock.example.com"
    }
  }
}

mock_data "gantry_deployment" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/deployment/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
    status = {
      endpoint = "https://mock.example.com"
    }
  }
}

mock_data "gantry_image" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/image/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_org" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_quota" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/quota/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_task" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/task/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}

mock_data "gantry_user" {
  defaults = {
    id            = "00000000-0000-4000-8000-000000000000"
    link          = "/org/mock/user/mock"
    created       = "2026-01-01T00:00:00Z"
    last_modified = "2026-01-01T00:00:00Z"
    version       = 1
  }
}
