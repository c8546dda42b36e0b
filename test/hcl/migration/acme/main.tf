terraform {
  required_providers {
    acme = {
      source = "acme.example/acme/acme"
    }
  }
}

variable "release" {
  type    = string
  default = "1.4.0"
}

# Who may do what is said by the token of the environment.
provider "acme" {
  api_url  = var.endpoint # of the company
  org_name = "local"
  debug    = true
}

variable "endpoint" {
  type = string
}

locals {
  limits = { LIMIT = "10", MODE = "fast" }
}

# The space of the shop.
resource "acme_space" "shop" {
  name   = "mig-shop"
  labels = { team = "shop" }

  # Frankfurt only.
  locations = ["//location/aws-eu-central-1"]

  domain_format = null

  variable {
    name  = "LOG_LEVEL"
    value = "info" # not debug
  }

  # For the billing.
  variable {
    name  = "cost-center"
    value = "42"
  }
}

resource "acme_service_account" "deploy" { name = "mig-deploy" }

resource "acme_group" "operators" {
  name    = "mig-operators"
  members = ["//serviceaccount/${acme_service_account.deploy.name}"]
}

resource "acme_identity" "backend" {
  name  = "backend"
  space = acme_space.shop.name
}

resource "acme_secret" "database" {
  name = "mig-database"
  type = "opaque"
  opaque {
    payload  = "s3cret"
    encoding = "plain"
  }
}

resource "acme_policy" "database" {
  name         = "mig-database"
  target_kind  = "secret"
  target_links = ["//secret/${acme_secret.database.name}"]

  binding {
    permissions     = ["reveal"]
    principal_links = [acme_identity.backend.self_link]
  }
}

resource "acme_volume_set" "data" {
  name              = "data"
  space             = acme_space.shop.name
  initial_capacity  = 10
  performance_class = "general-purpose-ssd"
  file_system_type  = "ext4"
}
