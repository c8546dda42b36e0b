terraform {
  required_providers {
    gantry = {
      source  = "gantry.local/gantry/gantry"
      version = "~> 0.1.0"
    }
  }
}

variable "location" {
  description = "Where it runs."
  type        = string
  default     = "aws-eu-central-1"
}

variable "release" {
  description = "The version of the site."
  type        = string
  default     = "1.4.0"
}

variable "database_password" {
  description = "Written once, and never stored in the state."
  type        = string
  sensitive   = true
  ephemeral   = true
}

resource "gantry_gvc" "shop" {
  name = "shop"
  spec {
    static_placement {
      location_links = ["//location/${var.location}"]
    }
  }
}

resource "gantry_secret" "database" {
  name = "shop-database"
  type = "userpass"
  data_wo {
    userpass {
      username = "shop"
      password = var.database_password
    }
  }
  data_wo_version = 1
}

resource "gantry_identity" "backend" {
  name = "backend"
  gvc  = gantry_gvc.shop.name
}

resource "gantry_policy" "database" {
  name         = "shop-database"
  target_kind  = "secret"
  target_links = [gantry_secret.database.link]
  bindings {
    permissions     = ["reveal"]
    principal_links = [gantry_identity.backend.link]
  }
}

resource "gantry_workload" "api" {
  name = "api"
  gvc  = gantry_gvc.shop.name
  spec {
    type          = "standard"
    identity_link = gantry_identity.backend.link
    containers {
      name   = "api"
      image  = "registry.example.com/shop/api:${var.release}"
      cpu    = "500m"
      memory = "512Mi"
      ports {
        number   = 8080
        protocol = "http"
      }
      env = {
        DATABASE_PASSWORD = "scheme://secret/${gantry_secret.database.name}.password"
      }
    }
    firewall_config {
      internal {
        inbound_allow_type     = "workload-list"
        inbound_allow_workload = ["//gvc/${gantry_gvc.shop.name}/workload/web"]
      }
    }
  }
  # Its containers read the secret when they start.
  depends_on = [gantry_policy.database]
}

resource "gantry_workload" "web" {
  name           = "web"
  gvc            = gantry_gvc.shop.name
  wait_for_ready = true
  spec {
    type = "serverless"
    containers {
      name  = "web"
      image = "registry.example.com/shop/web:${var.release}"
      ports {
        number   = 8080
        protocol = "http"
      }
      env = {
        API_URL = "http://${gantry_workload.api.name}.${gantry_gvc.shop.name}.local:8080"
      }
    }
    firewall_config {
      external {
        inbound_allow_cidr = ["0.0.0.0/0"]
      }
    }
  }
}

output "address" {
  value = gantry_workload.web.status.canonical_endpoint
}
